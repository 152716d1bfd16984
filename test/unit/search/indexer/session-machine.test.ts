import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { SessionMachine, type SessionMachineOptions } from '../../../../src/search/indexer/session-machine.ts';
import { type SessionState, transitions } from '../../../../src/search/indexer/session-state.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

type Name = SessionState['is'];
const NAMES = Object.keys(transitions) as Name[];

/** A state with as much in it as a step looks at: what it has open, and what answers in it. */
function made(is: Name, open: Set<string>, name: string): SessionState {
  open.add(name);
  const store = { close: () => void open.delete(name) };
  const answers = { index: {}, vectorsComparable: true };
  const answering = { store, coverage: {}, answers };
  const build = { store, coverage: () => ({}) };
  const held = { lease: {}, build, answers };
  const states: Record<Name, object> = {
    opening: { coverage: {}, answering },
    writer: held,
    conflict: { ...held, error: new Error('of other folders') },
    reader: { answering, because: new Error('nobody can write there') },
    closed: {},
  };
  if (is === 'closed') open.delete(name);
  return { is, donors: [], ...states[is] } as unknown as SessionState;
}

/** A machine that has gone into a state, what is open now, and what answers. */
function machineIn(is: Name): { machine: SessionMachine; open: Set<string>; answers: () => unknown } {
  const folder = temporaryFolder();
  const index = {
    current: undefined as unknown,
    switchTo: (next: unknown) => {
      index.current = next;
    },
  };
  const machine = new SessionMachine({
    config: { indexUri: path.join(folder, 'index'), roots: [] },
    embedder: { id: 'a model' },
    ports: { index, progress: { currentPhase: 'ready' }, log: () => undefined },
    onLost: () => undefined,
  } as unknown as SessionMachineOptions);
  const open = new Set<string>();
  assert.ok(machine.go(machine.state, made(is, open, 'first')), 'opening leads everywhere');
  return { machine, open, answers: () => index.current };
}

describe('the table of what may follow what in a session', () => {
  for (const from of NAMES)
    for (const to of NAMES) {
      const may = transitions[from].includes(to);
      it(`${may ? 'lets' : 'does not let'} ${from} become ${to}`, () => {
        const { machine, open, answers } = machineIn(from);
        const [before, answered, wasOpen] = [machine.state, answers(), [...open]];
        const next = made(to, open, 'second');
        if (may) {
          assert.equal(machine.go(before, next), true);
          assert.equal(machine.state, next);
          assert.deepEqual([...open], to === 'closed' ? [] : ['second'], 'what no state uses any more is closed');
        } else {
          assert.throws(() => machine.go(before, next), { message: `a session cannot go from ${from} to ${to}` });
          assert.equal(machine.state, before);
          assert.equal(answers(), answered);
          assert.deepEqual([...open].slice(0, wasOpen.length), wasOpen, 'nothing is closed by a step that is none');
        }
      });
    }

  it('lets nothing happen where another step came between, and closes what was opened for it', () => {
    const { machine, open } = machineIn('writer');
    const late = machine.state;
    machine.go(late, made('reader', open, 'second'));
    assert.equal(machine.go(late, made('writer', open, 'third')), false);
    assert.equal(machine.state.is, 'reader');
    assert.deepEqual([...open], ['second']);
  });

  it('leads from every state but the last to the end, and out of the end nowhere', () => {
    for (const name of NAMES) assert.equal(transitions[name].includes('closed'), name !== 'closed', name);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type EncoderReading,
  type JointEncoder,
  lazyEncoder,
  openJointEncoder,
} from '../../../../../src/search/retrieval/encoder/joint-encoder.ts';
import { PassageProfiles } from '../../../../../src/search/retrieval/features/passage-profile.ts';
import { encodeUnits } from '../../../../../src/search/retrieval/reader/encode-units.ts';
import { type ReadSentence, sentencesOf } from '../../../../../src/search/retrieval/reader/read-units.ts';
import { notePassage } from '../../../../doubles/scripted-retriever.ts';

/** Supports what says `yes`, and has its span there. */
class ScriptedEncoder implements JointEncoder {
  readonly asked: string[] = [];
  read({ candidate }: Parameters<JointEncoder['read']>[0], signal?: AbortSignal): Promise<EncoderReading> {
    signal?.throwIfAborted();
    this.asked.push(candidate.header);
    const at = candidate.text.indexOf('yes');
    return Promise.resolve({
      extends: 1,
      complete: 2,
      spans: at < 0 ? [] : [{ inHeader: false, start: at, end: at + 3, score: 5 }],
      support: (start, end) => (start >= 60 ? undefined : candidate.text.slice(start, end).includes('yes') ? 3 : -3),
    });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

function unitsOf(texts: readonly string[]): ReadSentence[] {
  const profiles = new PassageProfiles();
  return sentencesOf(
    texts.map((text, i) => profiles.of({ ...notePassage(`p${i}`, `Note ${i}`, text), vector: undefined })),
  );
}

const worthOf = (units: readonly unknown[]): number[] => units.map((_, i) => 1 / (i + 1));

describe('units that the joint encoder has read', () => {
  it('have the best span that lies in them, and how well they support an answer', async () => {
    const units = unitsOf(['It says no here. It says yes here, and plainly so, to all who ask. This was cut off.']);
    const [no, yes, cutOff] = await encodeUnits('Does it?', units, worthOf(units), new ScriptedEncoder());
    assert.deepEqual([no?.span, yes?.span, cutOff], [-20, 5, undefined]);
    assert.ok((yes?.supported ?? -9) > (no?.supported ?? 0));
  });

  it('are those of the eight passages with the best ones, each read alone, under its path and title', async () => {
    const units = unitsOf(Array.from({ length: 20 }, (_, i) => `Passage ${i} says yes.`));
    const encoder = new ScriptedEncoder();
    const read = await encodeUnits('Does it?', units, worthOf(units).reverse(), encoder);
    assert.equal(encoder.asked.length, 16, 'each has one unit, which is read alone afterwards');
    assert.match(encoder.asked[0] ?? '', /\.md: Note 19$/);
    assert.deepEqual(
      read.flatMap((each, i) => (each ? [i] : [])),
      [12, 13, 14, 15, 16, 17, 18, 19],
    );
  });

  it('are read alone afterwards, in what has to be read before them, where they are among the best', async () => {
    const passages = Array.from({ length: 8 }, (_, i) => `It says ${i === 7 ? 'yes' : 'no'}. It is so. All agree.`);
    const units = unitsOf(passages).map((unit) => ({
      ...unit,
      context: { text: 'Under a heading', start: 0, end: 0 },
    }));
    const encoder = new ScriptedEncoder();
    const texts: string[] = [];
    const reading: JointEncoder = {
      read: (input, signal) => (texts.push(input.candidate.text), encoder.read(input, signal)),
      close: () => encoder.close(),
    };
    const read = await encodeUnits('Does it?', units, worthOf(units), reading);
    const alone = read.flatMap((each, i) => (each?.alone ? [i] : []));
    const yes = units.findIndex(({ text }) => text.includes('yes'));
    // The best eight by features, and what supports most: the one line that says yes, then those in front.
    assert.deepEqual(alone, [0, 1, 2, 3, 4, 5, 6, 7, yes]);
    assert.deepEqual([read[yes]?.alone?.span, read[0]?.alone?.span], [5, -20]);
    assert.ok(texts.includes('Under a heading\nIt says yes.'), texts.join('|'));
  });

  it('stop being read on abort', async () => {
    const units = unitsOf(['One.', 'Two.']);
    await assert.rejects(encodeUnits('?', units, worthOf(units), new ScriptedEncoder(), AbortSignal.abort()), {
      name: 'AbortError',
    });
  });
});

describe('the joint encoder of an installation', () => {
  it('is opened once, when it is first asked for', async () => {
    let opened = 0;
    const once = lazyEncoder(
      () => Promise.resolve((opened++, new ScriptedEncoder())),
      () => assert.fail(),
    );
    assert.equal(opened, 0);
    assert.equal(await once.encoder(), await once.encoder());
    assert.equal(opened, 1);
    await once.close();
  });

  it('is done without where it is missing or broken, which is said once', async () => {
    assert.equal(await openJointEncoder('/nowhere'), undefined);
    const said: string[] = [];
    const once = lazyEncoder(
      () => Promise.reject(new Error('cut off')),
      (text) => said.push(text),
    );
    assert.equal(await once.encoder(), undefined);
    assert.equal(await once.encoder(), undefined);
    assert.deepEqual(said, ['answers are chosen without the joint encoder: cut off']);
    await once.close();
  });

  it('says once that it fails to read', async () => {
    const said: string[] = [];
    const once = lazyEncoder(
      () => Promise.resolve(new ScriptedEncoder()),
      (text) => said.push(text),
    );
    once.unread(new Error('no memory left'));
    once.unread(new Error('no memory left'));
    assert.deepEqual(said, ['answers are chosen without the joint encoder: no memory left']);
    await once.close();
  });

  it('is done without once it has ended for good, which is said once', async () => {
    const end = new AbortController();
    const said: string[] = [];
    const once = lazyEncoder(
      () => Promise.resolve(Object.assign(new ScriptedEncoder(), { ended: end.signal })),
      (text) => said.push(text),
    );
    assert.ok(await once.encoder());
    end.abort(new Error('its thread ended'));
    assert.deepEqual(await Promise.all([once.encoder(), once.encoder()]), [undefined, undefined]);
    assert.equal(await once.encoder(), undefined);
    assert.deepEqual(said, ['answers are chosen without the joint encoder: its thread ended']);
    await once.close();
  });
});

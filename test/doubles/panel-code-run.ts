import type { ResearchEvent } from '../../src/research/domain/research-event.ts';
import { coverage, examplePassage, hop, matching, stamp } from './panel-runs.ts';

const rules = examplePassage('code/service/kilnhouse/rules.py', 30, 35, 'rules > check_overshoot', 'function');
const alarms = examplePassage('code/service/kilnhouse/alarms.py', 1, 24, 'alarms', 'code');

/** An answer about code. */
export const codeRun: ResearchEvent[] = stamp('code', [
  {
    type: 'run-start',
    question: 'What happens when a kiln gets too hot?',
    asked: 'What happens when a kiln gets too hot?',
    model: null,
  },
  {
    type: 'step-start',
    stepId: 's1',
    operator: 'extractive',
    question: 'What happens when a kiln gets too hot?',
    dependsOn: [],
  },
  {
    type: 'notice',
    code: 'index-incomplete',
    message: 'The index is still being built: 74 % can be found by meaning.',
  },
  {
    type: 'answer-end',
    answer: {
      text:
        '`check_overshoot` raises an alarm when the reading is above the schedule by more than ' +
        '`overshoot_margin_c` [1]:\n\n```python\nif now.cooling or now.celsius <= now.target_c + ' +
        'limits.overshoot_margin_c:\n    return None\n```\n\n- it stays silent while the kiln cools by itself ' +
        '[1]\n- the alarm is an `Alarm` of kind `OVERSHOOT` [2]',
      short: 'An overshoot alarm is raised.',
      abstained: false,
      statements: [],
      citations: [
        { number: 1, passageId: rules.id, startLine: 30, endLine: 35 },
        { number: 2, passageId: alarms.id, startLine: 1, endLine: 24 },
      ],
      passages: [rules, alarms],
      chain: {
        hops: [
          hop(rules, matching(['too hot'], 'Too hot')),
          hop(
            alarms,
            {
              kind: 'link',
              because: { code: 'reads', who: 'check_overshoot', what: 'OVERSHOOT', line: 35 },
              terms: ['OVERSHOOT'],
              from: 0,
              fromWords: 'OVERSHOOT',
              toWords: 'OVERSHOOT',
            },
            rules,
          ),
        ],
        score: 3,
        completeness: 0.8,
      },
      subAnswers: [],
      unsupportedCount: 0,
      conflicts: [],
      by: 'extractive',
      coverage: { ...coverage, embedded: 305, indexing: true },
    },
  },
  {
    type: 'run-end',
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, retrievals: 1, seconds: 0.3 },
  },
]);

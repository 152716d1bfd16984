import { html, nothing, type TemplateResult } from 'lit';
import {
  type FromLearningPage,
  type LearningReport,
  questionTypes,
  type StrategyFigures,
  trainerLabel,
  translateError,
} from '#protocol';
import { t } from '../strings.ts';
import { bytesLabel, count, decimal, codicon } from './labels.ts';

/** What was learnt, from how much, and what can be done with it. */
export function learningView(report: LearningReport, post: (message: FromLearningPage) => void): TemplateResult {
  return html`<div class="learning-page">
    <h1>${t('What Hoptrail has learnt')}</h1>
    <p class="quiet">
      ${t(
        'From your own questions, on this machine, for all your workspaces. Nothing of it leaves the machine ' +
          'unless you export it, or agree that a model is fine-tuned with it. A language model that answers is ' +
          'shown examples of yours only if it has read them before, at the same endpoint.',
      )}
    </p>
    <p class="learning-state">
      ${codicon(report.enabled ? 'pass' : 'circle-slash')}
      <span
        >${report.enabled ? t('Answers teach.') : t('Learning is off: answers teach nothing, and what was learnt before is still used.')}
        ${t('Strategy: {0}.', report.strategy)}</span
      >
      <button class="link-button" type="button" @click=${() => post({ type: 'settings' })}>
        ${t('Open Settings')}
      </button>
    </p>
    ${damageSection(report)} ${strategySection(report)} ${exampleSection(report)} ${roundSection(report)}
    ${fineTuningSection(report)} ${judgementSection(report)}
    <div class="learning-actions">
      <vscode-button secondary @click=${() => post({ type: 'fine-tune' })}>${t('Fine-Tune Model…')}</vscode-button>
      <vscode-button secondary @click=${() => post({ type: 'export' })}>${t('Export…')}</vscode-button>
      <vscode-button secondary @click=${() => post({ type: 'delete' })}>${t('Delete Everything…')}</vscode-button>
    </div>
  </div>`;
}

function damageSection({ damaged = [] }: LearningReport): TemplateResult | typeof nothing {
  if (damaged.length === 0) return nothing;
  return html`<section aria-label=${t('What cannot be read')}>
    <h2>${t('What cannot be read')}</h2>
    <ul>
      ${damaged.map((problem) => html`<li>${translateError(problem, t)}</li>`)}
    </ul>
    <p class="quiet">${t('What Hoptrail came with is used in its place. “Delete Everything…” removes it.')}</p>
  </section>`;
}

function strategySection(report: LearningReport): TemplateResult {
  const from =
    report.runs === 0
      ? t('No answer of a language model has taught yet.')
      : report.runs === 1
        ? t('From 1 answer of a language model.')
        : t('From {0} answers of language models.', count(report.runs));
  return html`<section aria-label=${t('Which strategy pays')}>
    <h2>${t('Which strategy pays')}</h2>
    <p class="quiet">
      ${from}
      ${report.prior === null ? t('The choice started from nothing.') : t('The choice started from: {0}.', report.prior)}
    </p>
    ${
      report.byType.length === 0
        ? nothing
        : html`<table>
            <thead>
              <tr>
                <th scope="col">${t('Kind of question')}</th>
                <th scope="col" class="figure">${t('Answers')}</th>
                <th scope="col">${t('Best so far')}</th>
                <th scope="col">${t('Quality')}</th>
                <th scope="col">${t('Cost')}</th>
              </tr>
            </thead>
            <tbody>
              ${report.byType.map(
                ({ type, runs, best }) =>
                  html`<tr>
                    <th scope="row">${questionTypes[type]?.(t)}</th>
                    <td class="figure">${count(runs)}</td>
                    ${strategyCells(best)}
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${
      report.strategies.length === 0
        ? nothing
        : html`<details class="fold">
            <summary>
              ${codicon('chevron-right')}${t('Every strategy that was used')}<span class="count"
                >${count(report.strategies.length)}</span
              >
            </summary>
            <div class="fold-body">
              <table>
                <thead>
                  <tr>
                    <th scope="col">${t('Strategy')}</th>
                    <th scope="col">${t('Quality')}</th>
                    <th scope="col">${t('Cost')}</th>
                    <th scope="col" class="figure">${t('Answers')}</th>
                  </tr>
                </thead>
                <tbody>
                  ${report.strategies.map(
                    (figures) =>
                      html`<tr>
                        ${strategyCells(figures)}
                        <td class="figure">${count(figures.runs)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
              <p class="quiet">
                ${t('Quality: by thumbs, else by the checks at the end of a run. Cost: tokens and seconds, 0 to 1.')}
              </p>
            </div>
          </details>`
    }
  </section>`;
}

function strategyCells(figures: StrategyFigures): TemplateResult {
  return html`<td class="strategy" title=${figures.name}>${figures.words}</td>
    <td data-label=${t('Quality')}>${meter(figures.quality, t('Quality'))}</td>
    <td data-label=${t('Cost')}>${meter(figures.cost, t('Cost'))}</td>`;
}

/** A share of one as a bar and a number. */
function meter(value: number, label: string): TemplateResult {
  return html`<span class="meter"
    ><meter min="0" max="1" .value=${value} aria-label=${label}></meter><span>${decimal(value, 2)}</span></span
  >`;
}

function exampleSection({ examples }: LearningReport): TemplateResult {
  const total = examples.decomposition + examples.reading + examples.critique;
  const tile = (value: number, name: string, what: string): TemplateResult =>
    html`<li>
      <span class="tile-value">${count(value)}</span><span class="tile-name">${name}</span
      ><span class="quiet">${what}</span>
    </li>`;
  return html`<section aria-label=${t('Examples from runs that ended well')}>
    <h2>${t('Examples from runs that ended well')}</h2>
    <ul class="tiles">
      ${tile(examples.decomposition, t('What to ask next'), t('question and what is known → sub-question, or stop'))}
      ${tile(examples.reading, t('What passages say'), t('sub-question and passages → answer'))}
      ${tile(examples.critique, t('What to keep'), t('a step → keep or reject'))}
    </ul>
    <p class="quiet">
      ${
        total === 0
          ? t('A run teaches when its citations hold and its critique passed, or when you say that it was good.')
          : t(
              'Of {0} runs, {1}. {2} of the examples may leave this machine.',
              count(examples.runs),
              bytesLabel(examples.bytes),
              count(examples.consented),
            )
      }
      ${
        examples.damaged === 0
          ? nothing
          : examples.damaged === 1
            ? t('1 line could not be read and goes with the next change.')
            : t('{0} lines could not be read and go with the next change.', count(examples.damaged))
      }
    </p>
  </section>`;
}

function roundSection({ round, inUse }: LearningReport): TemplateResult | typeof nothing {
  if (round.length === 0) return nothing;
  return html`<section aria-label=${t('The last round of learning')}>
    <h2>${t('The last round of learning')}</h2>
    <p class="quiet">
      ${
        inUse.length === 0
          ? t('Nothing that was learnt in a round is in use.')
          : t(
              'In use now, from this round or an earlier one: {0}.',
              inUse.map((trainer) => trainerLabel(trainer, t)).join(', '),
            )
      }
    </p>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('What was trained')}</th>
          <th scope="col" class="figure">${t('Examples')}</th>
          <th scope="col">${t('Outcome')}</th>
          <th scope="col">${t('Before')}</th>
          <th scope="col">${t('After')}</th>
        </tr>
      </thead>
      <tbody>
        ${round.map(
          ({ trainer, phase, examples, scores }) =>
            html`<tr>
              <th scope="row">${trainerLabel(trainer, t)}</th>
              <td class="figure">${count(examples)}</td>
              <td class="strategy">
                ${phaseLabel(phase)}${
                  scores
                    ? html`<br /><span class="quiet"
                          >${t(
                            '{0} held-out questions, difference {1} to {2}',
                            count(scores.questions),
                            decimal(scores.low, 3),
                            decimal(scores.high, 3),
                          )}</span
                        >`
                    : nothing
                }
              </td>
              <td data-label=${t('Before')}>${scores ? decimal(scores.before, 3) : '–'}</td>
              <td data-label=${t('After')}>${scores ? decimal(scores.after, 3) : '–'}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function fineTuningSection({ fineTuning }: LearningReport): TemplateResult | typeof nothing {
  if (!fineTuning) return nothing;
  const { phase, baseModel, host, examples, inUse, scores, problem } = fineTuning;
  return html`<section aria-label=${t('Fine-tuning')}>
    <h2>${t('Fine-tuning')}</h2>
    <p>
      ${t('{0} at {1}, {2} examples.', baseModel, host, count(examples))}
      ${tuningLabel(phase)}${inUse === undefined ? nothing : html`<br />${t('In use now:')} <code>${inUse}</code>`}
    </p>
    ${
      scores
        ? html`<p class="quiet">
            ${t(
              '{0} before, {1} after on {2} questions held back; difference {3} to {4}.',
              decimal(scores.before, 3),
              decimal(scores.after, 3),
              count(scores.questions),
              decimal(scores.low, 3),
              decimal(scores.high, 3),
            )}
          </p>`
        : nothing
    }
    ${problem === undefined ? nothing : html`<p class="quiet">${translateError(problem, t)}</p>`}
  </section>`;
}

function tuningLabel(phase: NonNullable<LearningReport['fineTuning']>['phase']): string {
  switch (phase) {
    case 'prepared':
      return t('Counted; nothing has left this machine.');
    case 'agreed':
    case 'training':
      return t('The service trains it.');
    case 'trained':
      return t('Trained, not compared yet.');
    case 'switched':
      return t('It did better.');
    case 'kept':
      return t('No certain gain: the old model stays.');
    case 'stepped-back':
      return t('It did better, and you went back to the old model.');
    case 'failed':
      return t('It failed.');
    case 'cancelled':
      return t('It was cancelled.');
  }
}

const phaseLabel = (phase: LearningReport['round'][number]['phase']): string =>
  ({
    pending: t('Not done yet'),
    skipped: t('Skipped: too few examples'),
    trained: t('Trained, not compared yet'),
    installed: t('In use: it won'),
    kept: t('The old one stays: no certain gain'),
    failed: t('Failed'),
    'stepped-back': t('Undone'),
  })[phase];

function judgementSection({ judgements }: LearningReport): TemplateResult {
  const { up, down, rejectedPassages } = judgements;
  return html`<section aria-label=${t('Your judgements in this workspace')}>
    <h2>${t('Your judgements in this workspace')}</h2>
    <ul class="judgements">
      <li>${codicon('thumbsup')}${up === 1 ? t('1 good answer') : t('{0} good answers', count(up))}</li>
      <li>${codicon('thumbsdown')}${down === 1 ? t('1 bad answer') : t('{0} bad answers', count(down))}</li>
      <li>
        ${codicon('exclude')}${
          rejectedPassages === 1
            ? t('1 passage that does not belong')
            : t('{0} passages that do not belong', count(rejectedPassages))
        }
      </li>
    </ul>
  </section>`;
}

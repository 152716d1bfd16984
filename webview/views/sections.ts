import { html, nothing, type TemplateResult } from 'lit';
import {
  translateSaid,
  type Answer,
  type CritiqueVerdict,
  type ModelState,
  type SearchHit,
  type Usage,
} from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';
import { codicon, count, filesLabel, passagesLabel, secondsLabel } from './labels.ts';
import { opening, placeView } from './passages.ts';

/** The folded sections below the trail: for those who want to know how. */
export function sectionsView(turn: TurnView, model: ModelState, actions: PanelActions): TemplateResult {
  return html`<div class="sections">
    ${critiqueSection(turn)}${searchedSection(turn, actions)}${budgetSection(turn, model)}
  </div>`;
}

function fold(title: string, detail: string, body: TemplateResult): TemplateResult {
  return html`<details class="fold">
    <summary>${codicon('chevron-right')}${title}<span class="count">${detail}</span></summary>
    <div class="fold-body">${body}</div>
  </details>`;
}

/** What was checked: nothing of a refusal but its steps, since there is no answer that could hold or not. */
function critiqueSection({ run }: TurnView): TemplateResult | typeof nothing {
  const isAnswer = run.answer !== undefined && !run.answer.abstained;
  const verdicts = run.steps.filter((step) => step.critique);
  const whole = isAnswer ? run.critique : undefined;
  const unsupported = isAnswer ? unsupportedIn(run.answer) : [];
  if (!whole?.reason && verdicts.length === 0 && unsupported.length === 0) return nothing;
  return fold(
    t('Critique'),
    isAnswer ? critiqueDetail(unsupported.length, whole?.verdict) : t('no answer to check'),
    html` ${whole?.reason ? html`<p>${translateSaid(whole.reason, t)}</p>` : nothing}
    ${unsupported.map(
      (statement) =>
        html`<p>
          <span class="unsupported">${statement.text}</span
          >${statement.problem ? html`<br /><span class="quiet">${translateSaid(statement.problem, t)}</span>` : nothing}
        </p>`,
    )}
    ${
      verdicts.length === 0
        ? nothing
        : html`<ul class="plain">
            ${verdicts.map(
              (step) =>
                html`<li>
                  <span class="role">${verdictLabel(step.critique?.verdict ?? 'keep')}</span>
                  ${step.question}<br /><span class="quiet">${translateSaid(step.critique?.reason ?? '', t)}</span>
                </li>`,
            )}
          </ul>`
    }`,
  );
}

const unsupportedIn = (answer: Answer | undefined): Answer['statements'] =>
  answer?.statements.filter((statement) => statement.support === 'unsupported') ?? [];

function critiqueDetail(unsupported: number, verdict: CritiqueVerdict['verdict'] | undefined): string {
  if (unsupported === 1) return t('1 statement unsupported');
  if (unsupported > 1) return t('{0} statements unsupported', unsupported);
  return verdict === undefined || verdict === 'keep' ? t('nothing unsupported') : verdictLabel(verdict);
}

const verdictLabel = (verdict: 'keep' | 'redundant' | 'irrelevant' | 'unsupported'): string =>
  ({
    keep: t('Kept'),
    redundant: t('Redundant'),
    irrelevant: t('Irrelevant'),
    unsupported: t('Unsupported'),
  })[verdict];

function searchedSection(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const retrievals = turn.run.steps.flatMap((step) => step.retrievals);
  if (retrievals.length === 0) return nothing;
  return fold(
    t('What was searched'),
    retrievals.length === 1 ? t('1 search') : t('{0} searches', retrievals.length),
    html` ${retrievals.map(
      (retrieval) =>
        html`<p class="query">
            ${codicon('search')} <bdi>${retrieval.query}</bdi>
            <span class="quiet">${t('{0} ms', Math.round(retrieval.milliseconds))}</span>
          </p>
          ${
            retrieval.hits.length === 0
              ? html`<p class="quiet">${t('Nothing found')}</p>`
              : html`<ul class="hits">
                  ${retrieval.hits.slice(0, 8).map((hit) => hitView(turn, hit, actions))}
                </ul>`
          }`,
    )}`,
  );
}

function hitView(turn: TurnView, { passage, parts }: SearchHit, actions: PanelActions): TemplateResult {
  const lists = Object.entries(parts)
    .map(([name, part]) => `${name} ${part.rank}`)
    .join(' · ');
  return html`<li>
    <button class="source-link" type="button" title=${passage.title} @click=${opening(actions, turn.runId, passage.id)}>
      ${placeView(passage.path, passage.startLine)}
    </button>
    <span class="quiet">${lists}</span>
  </li>`;
}

function budgetSection({ run }: TurnView, model: ModelState): TemplateResult | typeof nothing {
  const { usage, answer } = run;
  if (!usage) return nothing;
  const tokens = usage.inputTokens + usage.outputTokens;
  const about = usage.estimated ? '≈ ' : '';
  return fold(
    t('Budget'),
    usage.calls === 0
      ? t('{0}, no model calls', secondsLabel(usage.seconds))
      : usage.calls === 1
        ? t('{0}, 1 call, {1} tokens', secondsLabel(usage.seconds), about + count(tokens))
        : t('{0}, {1} calls, {2} tokens', secondsLabel(usage.seconds), usage.calls, about + count(tokens)),
    html` <dl class="facts">
      <dt>${t('Time')}</dt>
      <dd>${secondsLabel(usage.seconds)}</dd>
      <dt>${t('Retrievals')}</dt>
      <dd>${count(usage.retrievals)}</dd>
      ${
        run.model === undefined
          ? nothing
          : html`<dt>${t('Model')}</dt>
              <dd>${run.model ?? t('none')}</dd>`
      }
      <dt>${t('Model calls')}</dt>
      <dd>${count(usage.calls)}</dd>
      <dt>${t('Tokens in')}</dt>
      <dd>${about}${count(usage.inputTokens)}</dd>
      <dt>${t('Tokens out')}</dt>
      <dd>${about}${count(usage.outputTokens)}</dd>
      ${
        model.price && usage.calls > 0
          ? html`<dt>${t('Cost')}</dt>
              <dd>${about}${cost(usage, model.price)}</dd>`
          : nothing
      }
      ${
        answer
          ? html`<dt>${t('Searched')}</dt>
              <dd>
                ${passagesLabel(answer.coverage.passages)} ·
                ${filesLabel(answer.coverage.files)}${
                  answer.coverage.embedded < answer.coverage.passages
                    ? html`<br /><span class="quiet"
                          >${t('{0} of them by meaning', count(answer.coverage.embedded))}</span
                        >`
                    : nothing
                }
              </dd>`
          : nothing
      }
    </dl>`,
  );
}

function cost(usage: Usage, price: NonNullable<ModelState['price']>): string {
  const value = (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: price.currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  }).format(value);
}

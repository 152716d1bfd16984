import { html, nothing, type TemplateResult } from 'lit';
import { type DebateTurn, type ModelState, type OperatorName, type Plan, typeLabel, type Usage } from '#protocol';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import type { RunView, StepView } from '../run-view.ts';
import { t } from '../strings.ts';
import { activityList } from './activities.ts';
import { quietNotices } from './question.ts';
import {
  codicon,
  count,
  filesLabel,
  operatorLabel,
  passagesLabel,
  planOriginLabel,
  secondsLabel,
  stepIcon,
  stepStatusLabel,
} from './labels.ts';

/** One closed line that unfolds into type, plan, steps, searches, checks and cost. */
export function howView(turn: TurnView, model: ModelState, actions: PanelActions): TemplateResult | typeof nothing {
  const { run } = turn;
  if (run.status === 'running' || !run.usage) return nothing;
  if (!run.answer && !run.plan && run.activities.length === 0) return nothing;
  return html`<details class="fold how">
    <summary>
      ${codicon('chevron-right')}<span
        >${t('How this was answered')} <span class="count">${summaryOf(run.usage)}</span></span
      >
    </summary>
    <div class="fold-body">
      <dl class="facts">${typeFact(run)} ${planFact(run)} ${checksFact(run)} ${costFacts(run, run.usage, model)}</dl>
      ${debateFold(run)} ${stepsFold(run)}
      ${
        run.activities.length === 0
          ? nothing
          : html`<h3>${t('Looked up')}</h3>
              ${activityList(turn, run.activities, actions)}`
      }
      ${quietNotices(turn).map((words) => html`<div class="notice">${codicon('info')}<span>${words}</span></div>`)}
    </div>
  </details>`;
}

function summaryOf({ calls, seconds }: Usage): string {
  const time = secondsLabel(seconds);
  if (calls === 0) return time;
  return calls === 1 ? t('1 model call, {0}', time) : t('{0} model calls, {1}', calls, time);
}

const fact = (name: string, value: unknown): TemplateResult =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

function typeFact({ classification, model }: RunView): TemplateResult | typeof nothing {
  if (!classification || model === null || classification.classifier === 'fixed') return nothing;
  return fact(t('Question'), typeLabel(classification.type, t));
}

function planFact({ plan, strategy }: RunView): TemplateResult | typeof nothing {
  if (!plan || plan.origin === 'no-model' || plan.steps.length === 0) return nothing;
  const reasons = [planOriginLabel(plan.origin), plan.reason, strategy?.reason].filter(Boolean);
  return fact(
    t('Plan'),
    html`<details class="plan">
      <summary>${operatorsOf(plan)}</summary>
      <div class="quiet">${[...new Set(reasons)].map((reason) => html`<bdi class="plan-reason">${reason}</bdi>`)}</div>
      ${plan.steps.map(
        ({ operator, purpose, subQuestions = [] }) =>
          html`<div class="quiet">
            ${operatorLabel(operator)}: <bdi>${purpose}</bdi>
            ${
              subQuestions.length === 0
                ? nothing
                : html`<ol class="sub-questions">
                    ${subQuestions.map(({ question }) => html`<li>${question}</li>`)}
                  </ol>`
            }
          </div>`,
      )}
    </details>`,
  );
}

function operatorsOf({ steps, vote }: Plan): string {
  const names = steps.map((step) => operatorLabel(step.operator));
  return vote ? t('{0}, a vote', names.join(' + ')) : names.join(' → ');
}

function debateFold({ debate }: RunView): TemplateResult | typeof nothing {
  if (debate.length === 0) return nothing;
  const rounds = Math.max(...debate.map((turn) => turn.round));
  return html`<details class="fold">
    <summary>
      ${codicon('chevron-right')}${t('Debate')}<span class="count"
        >${rounds === 1 ? t('1 round') : t('{0} rounds', rounds)}</span
      >
    </summary>
    <ol class="fold-body debate">
      ${debate.map(
        ({ role, round, plan, text }) =>
          html`<li>
            <span class="role">${roleLabel(role)}</span>
            <span class="quiet">${t('round {0}', round)}${plan ? ` · ${inOrder(plan)}` : ''}</span>
            <p>${text}</p>
          </li>`,
      )}
    </ol>
  </details>`;
}

const inOrder = (operators: readonly OperatorName[]): string => operators.map(operatorLabel).join(' → ');

const roleLabel = (role: DebateTurn['role']): string =>
  ({
    affirmative: t('For'),
    negative: t('Against'),
    fast: t('Fast debater'),
    slow: t('Slow debater'),
    judge: t('Judge'),
  })[role];

/** The steps of the plan with their outcome; a single one that went well says nothing new. */
function stepsFold({ steps }: RunView): TemplateResult | typeof nothing {
  if (steps.length === 0 || (steps.length === 1 && steps[0]?.status === 'answered')) return nothing;
  return html`<h3>${t('Steps')}</h3>
    <ol class="step-list">
      ${steps.map(stepView)}
    </ol>`;
}

function stepView({ depth, status, question, operator, critique, error }: StepView): TemplateResult {
  const label = stepStatusLabel(status);
  return html`<li class="step depth-${Math.min(depth, 3)} ${status}">
    <span class="codicon codicon-${stepIcon(status)}" role="img" aria-label=${label} title=${label}></span>
    <div class="step-body">
      <bdi>${question}</bdi> <span class="operator">${operatorLabel(operator)}</span>
      ${critique && critique.verdict !== 'keep' ? html`<div class="quiet">${critique.reason}</div>` : nothing}
      ${error ? html`<div class="step-error">${error.message}</div>` : nothing}
    </div>
  </li>`;
}

/** Whether the answer's statements hold; nothing of a refusal, which states nothing. */
function checksFact({ answer, critique }: RunView): TemplateResult | typeof nothing {
  if (!answer || answer.abstained || answer.by !== 'model') return nothing;
  const failed = answer.statements.filter(({ support }) => support === 'unsupported');
  const verdict =
    failed.length === 0
      ? t('Supported by its sources')
      : failed.length === 1
        ? t('1 statement isn’t supported by its sources')
        : t('{0} statements aren’t supported by their sources', failed.length);
  return fact(
    t('Checks'),
    html`${verdict}
    ${failed.map(
      ({ text, problem }) =>
        html`<p class="failed">
          <span class="unsupported">${text}</span
          >${problem ? html`<br /><span class="quiet">${problem}</span>` : nothing}
        </p>`,
    )}
    ${critique && critique.verdict !== 'keep' ? html`<p class="quiet">${critique.reason}</p>` : nothing}`,
  );
}

function costFacts({ model: name, answer }: RunView, usage: Usage, { price }: ModelState): TemplateResult {
  const { calls, inputTokens, outputTokens, cachedTokens = 0, estimated } = usage;
  const about = estimated ? '≈ ' : '';
  const sent =
    cachedTokens > 0
      ? t('{0} tokens sent, {1} of them cached', about + count(inputTokens), count(cachedTokens))
      : t('{0} tokens sent', about + count(inputTokens));
  const cost = price && calls > 0 ? ` · ${about}${costOf(usage, price)}` : '';
  return html`${name ? fact(t('Model'), name) : nothing}
  ${calls === 0 ? nothing : fact(t('Cost'), `${sent} · ${t('{0} answered', about + count(outputTokens))}${cost}`)}
  ${
    answer
      ? fact(t('Searched'), `${filesLabel(answer.coverage.files)} · ${passagesLabel(answer.coverage.passages)}`)
      : nothing
  }`;
}

function costOf({ inputTokens, outputTokens }: Usage, price: NonNullable<ModelState['price']>): string {
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: price.currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  }).format((inputTokens * price.input + outputTokens * price.output) / 1e6);
}

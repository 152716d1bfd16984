import { html, nothing, type TemplateResult } from 'lit';
import {
  type DebateTurn,
  type LikelyType,
  likelyTypes,
  type OperatorName,
  type Plan,
  type PlanCost,
  type QuestionType,
  questionTypes,
  translateSaid,
} from '#protocol';
import type { TurnView } from '../panel-state.ts';
import type { RunView } from '../run-view.ts';
import { t } from '../strings.ts';
import { count, operatorLabel, planOriginLabel, codicon } from './labels.ts';

/** What kind of question it is, and the plan for it: operators in order, who proposed it, why, what it may cost. */
export function planView({ run }: TurnView): TemplateResult | typeof nothing {
  if (!run.classification && !run.plan && run.debate.length === 0) return nothing;
  return html`<div class="plan">${typeLine(run)}${planLine(run)}${debateFold(run)}</div>`;
}

function typeLine({ classification, usual }: RunView): TemplateResult | typeof nothing {
  if (!classification) return nothing;
  if (classification.classifier === 'fixed' && classification.type !== 'null') return nothing; // nobody asked for it
  const types = likelyTypes(classification);
  const either = (parts: readonly string[]): string => parts.reduce((one, other) => t('{0}, or {1}', one, other));
  const meanings = either(types.map(({ type }) => typeMeaning(type)));
  const meaning = usual ? t('{0}; usually planned as {1}', meanings, operatorsInOrder(usual)) : meanings;
  return html`<div class="quiet type-line">${either(types.map(typeName))}: ${meaning}</div>`;
}

const typeName = ({ type, probability }: LikelyType): string =>
  probability === undefined
    ? questionTypes[type]?.(t)
    : t('{0}, {1} %', questionTypes[type]?.(t), Math.round(100 * probability));

/** What the type says of the question, as the end of a sentence. */
const typeMeaning = (type: QuestionType): string =>
  ({
    inference: t('a step lies between question and answer'),
    comparison: t('things are held against each other'),
    temporal: t('it is about order or change in time'),
    lookup: t('one fact that stands in one place'),
    overview: t('it asks for a whole, not for one fact'),
    null: t('no line that was read answers it'),
  })[type];

function planLine({ plan, strategy }: RunView): TemplateResult | typeof nothing {
  if (!plan) return nothing;
  // Without a model there is no other way, and the line above says “quotes only”.
  const isOnlyWay = plan.origin === 'no-model';
  const origin = planOriginLabel(plan.origin);
  const about = isOnlyWay ? [] : [origin, ...(plan.cost ? [costLabel(plan.cost)] : [])];
  const saidAbove = plan.reason === '' || plan.reason === strategy?.reason;
  return html`<div class="plan-line" title=${isOnlyWay ? origin : nothing}>
      <span class="role">${t('Plan')}</span> ${operatorsOf(plan)}
      ${about.length === 0 ? nothing : html`<span class="quiet">(${about.join(' · ')})</span>`}
    </div>
    ${saidAbove ? nothing : html`<div class="quiet plan-reason"><bdi>${translateSaid(plan.reason, t)}</bdi></div>`}`;
}

function operatorsOf({ steps, vote }: Plan): string {
  const operators = steps.map((step) => step.operator);
  return vote ? t('{0}, a vote', operators.map(operatorLabel).join(' + ')) : operatorsInOrder(operators);
}

const operatorsInOrder = (operators: readonly OperatorName[]): string => operators.map(operatorLabel).join(' → ');

/** What a plan may cost, in calls and tokens. */
function costLabel({ calls: { least, most }, tokens }: PlanCost): string {
  if (most === 0) return t('no model calls');
  const calls =
    most === undefined
      ? t('{0} calls or more', count(least))
      : least < most
        ? t('{0} to {1} calls', count(least), count(most))
        : most === 1
          ? t('1 call')
          : t('{0} calls', count(most));
  return t('{0}, about {1} tokens', calls, count(tokens));
}

/** The turns of the debate as they come: open until the plan stands. */
function debateFold({ debate, plan, status }: RunView): TemplateResult | typeof nothing {
  if (debate.length === 0) return nothing;
  const rounds = Math.max(...debate.map((turn) => turn.round));
  return html`<details class="fold" ?open=${status === 'running' && !plan}>
    <summary>
      ${codicon('chevron-right')}${t('Debate')}<span class="count"
        >${rounds === 1 ? t('1 round') : t('{0} rounds', rounds)}</span
      >
    </summary>
    <ol class="fold-body debate">
      ${debate.map(
        (turn) =>
          html`<li>
            <span class="role">${roleLabel(turn.role)}</span>
            <span class="quiet"
              >${t('round {0}', turn.round)}${turn.plan ? ` · ${operatorsInOrder(turn.plan)}` : ''}</span
            >
            <p>${turn.text}</p>
          </li>`,
      )}
    </ol>
  </details>`;
}

const roleLabel = (role: DebateTurn['role']): string =>
  ({
    affirmative: t('Affirmative'),
    negative: t('Negative'),
    fast: t('Fast debater'),
    slow: t('Slow debater'),
    judge: t('Judge'),
  })[role];

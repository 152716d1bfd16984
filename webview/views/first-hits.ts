import { html, nothing, type TemplateResult } from 'lit';
import type { Passage } from '#protocol';
import { excerpt } from '../passage/excerpt.ts';
import { drawLines } from '../passage/segments.ts';
import type { PanelActions } from '../panel-context.ts';
import type { TurnView } from '../panel-state.ts';
import { t } from '../strings.ts';
import { passageLines } from './passage-lines.ts';
import { placeView } from './place.ts';

/** What a quick search found, in the trail's place until the trail comes: links, each with its leading line. */
export function firstHitsView(turn: TurnView, actions: PanelActions): TemplateResult | typeof nothing {
  const { firstHits } = turn.run;
  if (!firstHits) return nothing;
  return html`<section class="first-hits" aria-label=${t('Found so far')}>
    <h3 class="section-title">${t('Found so far')}</h3>
    <ul class="plain">
      ${firstHits.map(({ passage }) => hitView(turn, passage, actions))}
    </ul>
  </section>`;
}

function hitView({ runId }: TurnView, passage: Passage, actions: PanelActions): TemplateResult {
  const { lines } = excerpt(drawLines(passage.text, passage.language, passage.startLine, []), 1);
  const open = (event: MouseEvent): void =>
    actions.post({
      type: 'open',
      runId,
      passageId: passage.id,
      toSide: event.ctrlKey || event.metaKey || event.altKey,
    });
  return html`<li>
    <button
      class="source-link"
      type="button"
      title=${t('{0}\nClick to open, Ctrl+click to open to the side', passage.path)}
      @click=${open}
    >
      ${placeView(passage.path, passage.page === undefined ? passage.startLine : t('p. {0}', passage.page))}
    </button>
    <div class="excerpt" @click=${open}>${passageLines(lines, passage.language)}</div>
  </li>`;
}

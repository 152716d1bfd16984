import * as vscode from 'vscode';
import { cutTo, HoptrailError, reportError } from '#base';
import type { PastTurn, Question } from '#search';
import { abortSignalOf } from '../abort-signal.ts';
import { vscodeLanguageModel } from '../model/vscode-language-model.ts';
import { errorInOneText } from '../error-words.ts';
import type { SessionHolder } from '../session-holder.ts';
import { lineOfHop } from '../trail.ts';
import { attachedTo, withAttached } from './attached.ts';
import { locationOf, showAnswer, showProgress, showTrail } from './event-stream.ts';
import { plainMarkdown } from './research-result.ts';

interface ResultMetadata {
  command: string | undefined;
  question: string;
  answered: boolean;
}

/**
 * Answers `@hoptrail`: research by default, `/search`, `/trail` and `/overview` by command. Uses the model that the
 * chat has chosen.
 */
export async function answerInChat(
  sessions: SessionHolder,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const signal = abortSignalOf(token);
  const text = request.prompt.trim();
  const metadata: ResultMetadata = { command: request.command, question: text, answered: false };
  if (text === '' && request.command !== 'overview') {
    stream.markdown(vscode.l10n.t('Ask a question about this workspace.'));
    return { metadata };
  }
  try {
    return await answer(sessions, { request, context, stream, signal, metadata });
  } catch (error) {
    if (signal.aborted) return { metadata };
    if (!(error instanceof HoptrailError)) throw error; // for the editor's own log
    return { errorDetails: { message: errorInOneText(reportError(error), vscode.l10n.t) }, metadata };
  }
}

interface ChatTurn {
  request: vscode.ChatRequest;
  context: vscode.ChatContext;
  stream: vscode.ChatResponseStream;
  signal: AbortSignal;
  metadata: ResultMetadata;
}

async function answer(
  sessions: SessionHolder,
  { request, context, stream, signal, metadata }: ChatTurn,
): Promise<vscode.ChatResult> {
  const text = metadata.question;
  const session = await sessions.get();
  switch (request.command) {
    case 'search': {
      const { hits } = await session.engine.retriever.search(text, { retriever: 'hybrid', limit: 10 }, signal);
      stream.markdown(hits.length === 0 ? vscode.l10n.t('Nothing matches.') : '');
      hits.forEach((hit, index) => {
        stream.markdown(`${index + 1}. `);
        stream.anchor(locationOf(hit.passage), `${hit.passage.path}:${hit.passage.startLine}`);
        stream.markdown(` ${plainMarkdown(hit.passage.title)}\n`);
        stream.reference(locationOf(hit.passage));
      });
      return { metadata: { ...metadata, answered: hits.length > 0 } };
    }
    case 'trail': {
      const { chains } = await session.engine.retriever.chains(text, {}, signal);
      const hops = chains[0]?.hops ?? [];
      if (hops.length === 0) stream.markdown(vscode.l10n.t('No connected sources were found.'));
      showTrail(
        vscode.l10n.t('Sources'),
        hops.map((hop) => ({ hop, line: lineOfHop(hop, []) })),
        stream,
      );
      for (const { passage } of hops) stream.reference(locationOf(passage));
      return { metadata: { ...metadata, answered: hops.length > 0 } };
    }
    default: {
      const question: Question = {
        text: withAttached(questionText(text, request.command), await attachedTo(request)),
        history: historyOf(context),
      };
      const model = vscode.workspace.isTrusted ? vscodeLanguageModel(vscode, request.model) : undefined;
      // The model that is chosen in the chat, which need not be the panel's.
      const events = session.engine.research(question, session.researchOptions(), signal, { model });
      for await (const event of events) {
        showProgress(event, stream);
        if (event.type === 'answer-end') {
          showAnswer(event.answer, stream);
          metadata.answered = !event.answer.abstained;
        }
        if (event.type === 'run-error')
          return { errorDetails: { message: errorInOneText(event.error, vscode.l10n.t) }, metadata };
      }
      return { metadata };
    }
  }
}

function questionText(text: string, command: string | undefined): string {
  if (command !== 'overview') return text;
  return text === ''
    ? 'What is this workspace about: what are its main parts, and how do they depend on one another?'
    : `Give an overview of ${text}: its main parts, and how they depend on one another.`;
}

/** Earlier exchanges with this participant. */
function historyOf(context: vscode.ChatContext): PastTurn[] {
  const turns: PastTurn[] = [];
  let asked: string | undefined;
  for (const turn of context.history) {
    if (turn instanceof vscode.ChatRequestTurn) asked = questionText(turn.prompt.trim(), turn.command);
    else if (turn instanceof vscode.ChatResponseTurn && asked !== undefined) {
      const answer = turn.response
        .flatMap((part) => (part instanceof vscode.ChatResponseMarkdownPart ? [part.value.value] : []))
        .join('');
      turns.push({ question: asked, answer: cutTo(answer, 2000) });
      asked = undefined;
    }
  }
  return turns.slice(-6);
}

/** What to ask next. */
export function chatFollowups(result: vscode.ChatResult): vscode.ChatFollowup[] {
  const metadata = result.metadata as ResultMetadata | undefined;
  if (!metadata || metadata.question === '') return [];
  const { l10n } = vscode;
  const trail = { prompt: metadata.question, command: 'trail', label: l10n.t('Show only the sources') };
  const research = { prompt: metadata.question, label: l10n.t('Answer it') };
  const search = { prompt: metadata.question, command: 'search', label: l10n.t('Show matching passages') };
  if (metadata.command === 'search') return [research, trail];
  if (metadata.command === 'trail') return [research, search];
  return metadata.answered ? [trail] : [search];
}

import { createInterface } from 'node:readline/promises';
import type { PastTurn } from '#search';
import { reportError } from '#base';
import { withEngine } from '../open-engine.ts';
import { pathScope } from '../places.ts';
import type { Output } from '../output.ts';
import { runQuestion, type AskCommandOptions } from './ask-command.ts';

/** `hoptrail chat DIR`: questions and follow-ups until an empty line or Ctrl-D. */
export async function chatCommand(
  directory: string,
  options: AskCommandOptions,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const path = pathScope(directory, options.path);
  await withEngine(directory, options, signal, async ({ engine, update }) => {
    await update({}, signal);
    output.err('Ask about this folder. An empty line ends the session.');
    const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: '\n› ', signal });
    lines.once('SIGINT', () => process.emit('SIGINT')); // in a terminal, Ctrl-C reaches readline only
    const history: PastTurn[] = [];
    lines.prompt();
    for await (const line of lines) {
      if (line.trim() === '') break;
      try {
        if (history.length > 0) await update({}, signal); // files may have changed since the last question
        const answer = await runQuestion(engine, line.trim(), history, { ...options, path }, output, signal);
        if (answer) history.push({ question: line.trim(), answer: answer.short || answer.text });
      } catch (error) {
        // One failed question does not end the session.
        if (!signal.aborted) output.err(output.errorStyle.error(reportError(error).message));
      }
      if (signal.aborted) break;
      lines.prompt();
    }
    lines.close();
  });
}

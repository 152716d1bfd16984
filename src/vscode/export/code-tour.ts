import type { Answer, Hop } from '../protocol.ts';
import { lineOfHop } from '../trail.ts';

/** A tour in the format of the CodeTour extension (schema: https://aka.ms/codetour-schema). */
export interface CodeTour {
  $schema: string;
  title: string;
  description: string;
  steps: { file: string; line: number; title: string; description: string }[];
}

/**
 * The trail as a tour: one step per hop, on the line of the hop that matters, told with the reason for the step.
 * `fileOf` gives paths relative to the folder that holds `.tours`.
 */
export function trailAsTour(question: string, answer: Answer, fileOf: (hop: Hop) => string): CodeTour {
  return {
    $schema: 'https://aka.ms/codetour-schema',
    title: question,
    description: answer.short === '' ? answer.text : answer.short,
    steps: answer.chain.hops.map((hop, index) => ({
      file: fileOf(hop),
      line: lineOfHop(hop, answer.citations),
      title: hop.passage.title === '' ? hop.passage.path : hop.passage.title,
      description:
        [hop.why.text, index === answer.chain.hops.length - 1 ? answer.short : '']
          .filter((part) => part !== '')
          .join('\n\n') || hop.passage.path,
    })),
  };
}

/** A file name for a title: lower case, words joined by hyphens. */
export function fileNameFrom(title: string): string {
  const name = (
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .join('-')
    .slice(0, 60);
  return (name.endsWith('-') ? name.slice(0, -1) : name) || 'trail';
}

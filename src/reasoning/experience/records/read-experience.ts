import { experienceShape, type ExperienceRecord } from './experience-record.ts';

/** Records of JSON lines, in their order. A line that is none (cut off, damaged, of another version) is counted and left out. */
export function readExperience(text: string): { records: ExperienceRecord[]; damaged: number } {
  const records: ExperienceRecord[] = [];
  let damaged = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const record = experienceShape.safeParse(parse(line));
    if (record.success) records.push(record.data);
    else damaged += 1;
  }
  return { records, damaged };
}

/** undefined for a line that is no JSON: the shape refuses it. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

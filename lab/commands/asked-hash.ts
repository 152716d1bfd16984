import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hashOf } from '#base';
import { packageRoot } from '#cli/lab';

/** What an evaluation asks, and of what. */
interface Asked {
  /** File of questions. */
  data: string;
  corpus?: string;
  workspace?: string;
  trees?: string;
  /** Embeds passages in place of the bundled model. */
  embedderFolder?: string;
}

/**
 * Hash of the questions, of the places that are searched and of the models that ship: records of others are not mixed
 * in. What those places hold is not read: who changes it names another file of records.
 */
export function askedHash(
  { data, corpus, workspace, trees, embedderFolder }: Asked,
  models = join(packageRoot(), 'models'),
): string {
  const places = [corpus, workspace, trees, embedderFolder].map((place) => place && resolve(place));
  const learnt = readdirSync(models, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:json|onnx)$/.test(name),
  );
  const shipped = learnt.sort().map((name) => readFileSync(join(models, name)));
  return hashOf([readFileSync(data), JSON.stringify(places), ...shipped]);
}

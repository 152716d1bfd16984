/**
 * From here on, `vscode` is the double beside this file. Modules that import it are loaded after this one: `await
 * import(…)`. In the real editor nothing of this is loaded.
 */
import { register } from 'node:module';

const double = new URL('./vscode.ts', import.meta.url).href;
const hooks = `export const resolve = (specifier, context, next) => next(specifier === 'vscode' ? ${JSON.stringify(double)} : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

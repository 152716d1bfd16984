/**
 * Everything that activation can do without, built as a bundle of its own (esbuild.mjs): an editor that starts does not
 * wait for it to be read.
 */
export { Hoptrail } from './hoptrail.ts';
export { answerInChat, chatFollowups } from './native/chat-participant.ts';
export { prepareTool, runTool } from './native/tools.ts';

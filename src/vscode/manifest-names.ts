/** Every command of the manifest. */
export const COMMANDS = [
  'hoptrail.ask',
  'hoptrail.newThread',
  'hoptrail.openInEditor',
  'hoptrail.quickAnswer',
  'hoptrail.askAboutSelection',
  'hoptrail.askInFolder',
  'hoptrail.connectFiles',
  'hoptrail.nextHop',
  'hoptrail.previousHop',
  'hoptrail.rebuildIndex',
  'hoptrail.toggleIndexing',
  'hoptrail.showIndexReport',
  'hoptrail.chooseModel',
  'hoptrail.setApiKey',
  'hoptrail.showMenu',
  'hoptrail.showLearning',
  'hoptrail.fineTune',
  'hoptrail.diagnose',
] as const;

export type CommandName = (typeof COMMANDS)[number];

/** The tools of the manifest: those of the research loop, and a question of its own. */
export const TOOLS = [
  'hoptrail_search',
  'hoptrail_read',
  'hoptrail_references',
  'hoptrail_list',
  'hoptrail_ask',
] as const;

export type ToolName = (typeof TOOLS)[number];

/** Names of the panel in the manifest and in restored windows. Activation needs no more than these. */
export const VIEW_ID = 'hoptrail.chat';
export const PANEL_TYPE = 'hoptrail.panel';

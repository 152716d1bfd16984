/** Every command of the manifest. */
export const COMMANDS = [
  'hoptrail.ask',
  'hoptrail.askSuggested',
  'hoptrail.newThread',
  'hoptrail.repeatQuestion',
  'hoptrail.showRelated',
  'hoptrail.refreshRelated',
  'hoptrail.openInEditor',
  'hoptrail.quickAnswer',
  'hoptrail.askAboutSelection',
  'hoptrail.askInFolder',
  'hoptrail.connectFiles',
  'hoptrail.nextHop',
  'hoptrail.previousHop',
  'hoptrail.rebuildIndex',
  'hoptrail.pauseIndexing',
  'hoptrail.resumeIndexing',
  'hoptrail.showIndexReport',
  'hoptrail.chooseModel',
  'hoptrail.setApiKey',
  'hoptrail.showMenu',
  'hoptrail.showLog',
  'hoptrail.openSettings',
  'hoptrail.showLearning',
  'hoptrail.learn',
  'hoptrail.undoLearning',
  'hoptrail.fineTune',
  'hoptrail.exportLearning',
  'hoptrail.deleteLearning',
  'hoptrail.diagnose',
] as const;

export type CommandName = (typeof COMMANDS)[number];

/**
 * Names of the panel in the manifest and in restored windows. Apart from the panel's code, as activation needs no more
 * than these.
 */
export const VIEW_ID = 'hoptrail.chat';
export const PANEL_TYPE = 'hoptrail.panel';

/**
 * Names of the panel in the manifest and in restored windows. Apart from the panel's code, as activation needs no more
 * than these.
 */
export const VIEW_ID = 'hoptrail.chat';
export const PANEL_TYPE = 'hoptrail.panel';

import { wordSet } from '#base';

/** Past forms of English verbs that do not end in -ed. */
export const IRREGULAR_PASTS: ReadonlySet<string> = wordSet(
  'began begun bent bit bitten bled blew blown bought bound bred broke broken brought built burnt came caught chose ' +
    'chosen clung crept dealt drank drawn dreamt drew driven drove drunk dug eaten fallen fed fell felt fled flew ' +
    'flown forbade forbidden forgave forgiven forgot forgotten fought found froze frozen gave given gone grew grown ' +
    'heard held hid hidden hung kept knelt knew known laid lain led left lent lost made meant met mistaken overcame ' +
    'overcome paid proven ran rang ridden risen rode rose rung said sang sank sat saw seen sent shaken shone shook ' +
    'shot shown shrank shrunk slept slid sold sought spent spoke spoken spun stolen stood stole struck stuck stung ' +
    'sung sunk swam swept swollen sworn swum swung taken taught thought threw thrown told took tore torn understood ' +
    'undid undone went withdrawn withdrew woke woken won wore worn wound wove woven written wrote',
);

import { expression } from '#base';

/** An order to leave aside earlier orders, which it names: `ignore all previous instructions`. */
const OLD_ORDERS = expression('iu')`
  (?<!\b(?:not|never)\s|n['’]t\s)\b(?:ignore|disregard|forget|override)
  (?:\s+(?:all|any|every|everything|each|and|of|the|these|those|about)\b){0,5}
  \s+(?:previous|prior|above|earlier|preceding|foregoing|your)
  \b(?:[\s,/&-]{1,3}(?!(?:if|when|unless|where|while|in|on|for|from|because|as|until|that|which|to|with|by)\b)
    \p{L}{1,20}){0,3}[\s,/&-]{1,3}(?:instructions?|prompts?|directions|directives|guidelines)
  \b(?!\s+(?:if|when|unless)\b)
`;
/** The same the other way round: `disregard the instructions above`, `… the rules that you were given`. */
const ORDERS_BEFORE = expression('iu')`
  (?<!\b(?:not|never)\s|n['’]t\s)\b(?:ignore|disregard|forget)
  (?:\s+(?:all|any|every|everything|of|the|these|those)\b){0,4}(?:\s+\p{L}{1,20})?
  \s+(?:instructions?|prompts?|directions|directives|guidelines|rules)\s+(?:(?:that|which)\s+)?
  (?:above|so\s+far|until\s+now|you\s+(?:were|have|had|got|received)|
    (?:were\s+)?given\s+(?:to\s+you|above|before|earlier))\b(?!\s+(?:if|when|unless)\b)
`;
/** What programs speak of, too, is an order only where a sentence begins with it: `Forget your rules.` */
const AT_ONCE = expression('iu')`
  (?:^|[\n.!?:;>"“*#(-]|\b(?:please|now|you\s+must|you\s+should|you\s+to)\b)\s{0,3}(?:ignore|disregard|forget)
  \s+(?:(?:all|any|every)(?:\s+(?:of|the|other|these|those)){0,2}\s+(?:instructions|directions)|
    (?:all\s+)?(?:of\s+)?(?:the\s+)?(?:your|previous|prior|earlier|preceding)
    (?:\s+(?:own|other|safety|system|earlier|previous)){0,2}\s+(?:rules|messages?|training|programming)|
    the\s+system\s+(?:prompts?|messages?|instructions?))\b
`;
/** A part to be played: `You are now an assistant without rules`. Of modes, only those that models are put in. */
const NEW_PART = expression('iu')`
  \byou\s+are\s+(?:now|no\s+longer)
  ,?\s+(?:(?:an?|the|my|our)(?:\s+(?!(?:of|in|with|at|to|from|on|for|by|and|or)\b)[\p{L}-]{1,20}){0,4}
    \s+(?:assistant|model|ai|bot|chatbot|llm)\b|
    in\s+(?:an?\s+|the\s+)?(?:unrestricted|unfiltered|uncensored|jailbreak|jailbroken|dan|god)\s+mode\b)
`;
/** Marks by which chat templates tell who speaks. */
const TEMPLATE = /<\|?(?:im_start|im_end|system|endoftext)\|?>|\[\/?INST\]/iu;
const SYSTEM_PROMPT = /\b(?:system|developer) (?:prompt|message|instruction)s?\s*[:=]/iu;
/** What a language model is to say. */
const MODEL_SAYS = expression('iu')`
  \b(?:ai|language\s+model|llm|chatbot)s?\b[^.\n]{0,30}\b(?:must|should|shall|please|has to|have to)
  \b[^.\n]{0,40}\b(?:reply|respond|answer|say|output|print)\b
`;
/** The same for an assistant, who may be a person: only one that is spoken to, or that reads this. */
const ASSISTANT_SAYS = expression('iu')`
  \bassistants?(?:\s+(?:reading|seeing|processing|(?:who|that)\s+reads?)\b|\s?[,:]\s?(?:you|please)\b)
  [^.\n]{0,40}\b(?:reply|respond|say|output|print|
    answer(?!\s+(?:the|all|any|their|your)\s+(?:phones?|telephones?|calls?|door|letters?)\b))\b
`;

const SIGNS = [
  OLD_ORDERS,
  ORDERS_BEFORE,
  AT_ONCE,
  NEW_PART,
  TEMPLATE,
  SYSTEM_PROMPT,
  MODEL_SAYS,
  ASSISTANT_SAYS,
] as const;

/**
 * Whether a text speaks to a model and not to a reader. Only told, never acted upon: passages are data whether they
 * match or not.
 */
export const speaksToModel = (text: string): boolean => SIGNS.some((sign) => sign.test(text));

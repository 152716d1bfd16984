/** Marks by which chat templates tell who speaks, and characters that a person does not see and a model reads. */
const TEMPLATE =
  /<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>|<<SYS>>|\[\/?INST\]|<\/?(?:evidence|start_of_turn|end_of_turn)>/iu;
const UNSEEN = /[\u{e0020}-\u{e007e}]|[\u200b\u2060-\u2064]{8}/u;

/** Whether a text is written for a model, by its form alone. Only told, never acted upon: passages are data. */
export const speaksToModel = (text: string): boolean => TEMPLATE.test(text) || UNSEEN.test(text);

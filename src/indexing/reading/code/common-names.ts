/** Names so frequent that a link through them would join everything with everything. */
const COMMON = new Set(
  ('log debug info warn warning error print println printf sprintf fprintf format write read open close len length size push pop shift unshift map filter reduce foreach find some every ' +
  'get set has add delete remove clear keys values items entries tostring string str int integer float double bool boolean number object array list dict tuple set vec option some none ok err ' +
  'join split replace trim strip slice splice concat append extend insert index indexof includes startswith endswith contains match test exec sort reverse min max abs sum round floor ceil range ' +
  'enumerate zip isinstance issubclass super type hasattr getattr setattr id hash repr iter next all any then catch finally resolve reject call apply bind assert assertequal asserttrue expect ' +
  'equal equals deepequal strictequal tobe toequal echo exit cd test shift local export return source eval printf true false null nil undefined self this cls malloc free sizeof memcpy memset ' +
  'strlen strcmp strcpy new init clone unwrap into from iter collect as_str to_string to_owned promise date error regexp json math record partial readonly uint8array std vector optional void char ' +
  'const auto unsigned long short byte system out in console describe it beforeeach aftereach before after require import raise puts attr_accessor attr_reader private public protected lower upper ' +
  'tolowercase touppercase parse stringify lambda property staticmethod classmethod make panic cap copy typeerror valueerror keyerror runtimeerror exception throwable dirname basename tail head xargs cp mv rm mkdir rmdir touch ls grep sed awk cat sort uniq cut tr wc curl wget tar git chmod chown sleep wait kill trap sudo command usestate useeffect usememo usecallback useref assertionerror pick omit returntype awaited extract exclude lstrip rstrip setdefault update __init__ padstart padend fromentries isarray then t k v e a b c d f g h i j m n o p q r s u w x y z')
    .split(' '),
);

/** True for names that say nothing about where a call leads. */
export const isCommonName = (name: string): boolean => COMMON.has(name.toLowerCase()) || name.length < 2 || /^\d/.test(name);

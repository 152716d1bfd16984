import { wordSet, expression } from '#base';
import type { Node } from '@vscode/tree-sitter-wasm';
import { asOnePart } from '../../domain/passage-title.ts';
import type { DeclarationRole } from './code-language.ts';

/** What a declaration is called and cut as; more than one name when it declares several at once. */
export interface Named {
  /** From outermost to innermost: `['Store', 'merge']` for a method written outside its class. */
  path: string[];
  role: DeclarationRole;
  /** Further names of the same statement (`const a = 1, b = 2`). */
  others: string[];
  /** A test's words: a title, but no symbol that anything could refer to. */
  isTest?: boolean;
}

const NAME_NODES = wordSet(
  'identifier simple_identifier type_identifier field_identifier property_identifier constant name word',
);
const FUNCTION_VALUES = wordSet(
  'arrow_function function_expression function generator_function lambda lambda_literal func_literal',
);
const CLASS_VALUES = new Set(['class', 'class_expression']);
const TEST_GROUPS = /^(?:describe|context|suite)(?:\.(?:only|skip|each))?$/;
const TEST_CASES = expression('')`
  ^(?:it|test|specify|bench|before|after|beforeEach|afterEach|beforeAll|afterAll|setup|teardown)
  (?:\.(?:only|skip|each|concurrent))?$
`;

/** Reads the name of a declaration; undefined when the node declares nothing after all. */
export function nameDeclaration(node: Node, role: DeclarationRole): Named | undefined {
  switch (node.type) {
    case 'method_declaration':
      return goMethod(node) ?? simple(node, role);
    case 'type_declaration':
    case 'const_declaration':
    case 'var_declaration':
      return specs(node, role);
    case 'mod_item':
      return simple(node, node.childForFieldName('body') ? role : 'value');
    case 'preproc_def':
      return node.childForFieldName('value') ? simple(node, role) : undefined; // else an include guard
    case 'field_declaration':
      return declarator(node, role);
    case 'impl_item':
      return named([withoutGenerics(node.childForFieldName('type')?.text ?? '')], role);
    case 'lexical_declaration':
    case 'variable_declaration':
      return declarators(node);
    case 'public_field_definition':
    case 'field_definition':
      return functionField(node);
    case 'expression_statement':
      return statement(node);
    case 'assignment':
      return constantAssignment(node);
    case 'function_definition':
    case 'declaration':
    case 'type_definition':
      return declarator(node, role) ?? simple(node, role);
    case 'deinit_declaration':
      return named(['deinit'], role);
    case 'secondary_constructor':
      return named(['constructor'], role);
    case 'companion_object':
      return simple(node, role) ?? named(['Companion'], role);
    default:
      return simple(node, role);
  }
}

function named(path: string[], role: DeclarationRole, others: string[] = []): Named | undefined {
  const clean = path.map((part) => part.replace(/\s+/g, ' ').trim()).filter(Boolean);
  return clean.length > 0 && clean.every((part) => part.length <= 120) ? { path: clean, role, others } : undefined;
}

function simple(node: Node, role: DeclarationRole): Named | undefined {
  const name = node.childForFieldName('name') ?? firstName(node);
  return name ? named(splitQualified(unquoted(name.text)), role) : undefined;
}

function firstName(node: Node): Node | undefined {
  for (const child of node.namedChildren)
    if (child && (NAME_NODES.has(child.type) || child.type === 'user_type' || child.type === 'const_element'))
      return child;
  const declaration = node.namedChildren.find((child) => child?.type === 'variable_declaration');
  return declaration ? firstName(declaration) : undefined;
}

const unquoted = (text: string): string => text.replace(/^["'`]|["'`]$/g, '');
/** `Store` of `&mut cache::Store<Item>`. */
const withoutGenerics = (text: string): string =>
  /^(?:&|dyn |mut )*(?:\w+::)*(.*)$/s.exec(text.split('<', 1)[0] ?? '')?.[1] ?? '';
const splitQualified = (text: string): string[] => (text.length > 200 ? [] : text.replace(/<[^<>]*>/g, '').split('::'));

function goMethod(node: Node): Named | undefined {
  const receiver = node.childForFieldName('receiver')?.descendantsOfType('type_identifier')[0]?.text;
  const name = node.childForFieldName('name')?.text;
  return receiver && name ? named([receiver, name], 'function') : undefined;
}

/** Go's `type (…)`, `const (…)`; also PHP's and others' `const A = 1`. */
function specs(node: Node, role: DeclarationRole): Named | undefined {
  const names = node.namedChildren
    .flatMap((child) => (child?.type.endsWith('_spec_list') ? child.namedChildren : [child]))
    .flatMap((child) =>
      child && /_spec$|_alias$|const_element$/.test(child.type)
        ? [(child.childForFieldName('name') ?? firstName(child))?.text ?? '']
        : [],
    )
    .filter(Boolean);
  const [first, ...others] = names;
  return first ? named([first], role, others) : simple(node, role);
}

function declarators(node: Node): Named | undefined {
  const found = node.namedChildren.filter(
    (child) =>
      child?.type === 'variable_declarator' &&
      !/^(?:await\s+)?(?:require|import)\s*\(/.test(child.childForFieldName('value')?.text.slice(0, 40) ?? ''),
  );
  const names = found.flatMap((child) => namesOfPattern(child?.childForFieldName('name')));
  const value = found.length === 1 ? valueRole(found[0]?.childForFieldName('value')) : 'value';
  const [first, ...others] = names;
  return first ? named([first], value, others) : undefined;
}

function valueRole(value: Node | null | undefined): DeclarationRole {
  if (!value) return 'value';
  if (FUNCTION_VALUES.has(value.type)) return 'function';
  return CLASS_VALUES.has(value.type) ? 'class' : 'value';
}

function namesOfPattern(pattern: Node | null | undefined): string[] {
  if (!pattern) return [];
  if (NAME_NODES.has(pattern.type)) return [pattern.text];
  return pattern
    .descendantsOfType(['shorthand_property_identifier_pattern', 'identifier'])
    .flatMap((node) => (node ? [node.text] : []));
}

/** A class field counts when its value is a function; other fields stay in the class's outline. */
function functionField(node: Node): Named | undefined {
  const name = (node.childForFieldName('name') ?? node.childForFieldName('property'))?.text;
  return name && valueRole(node.childForFieldName('value')) === 'function' ? named([name], 'function') : undefined;
}

function statement(node: Node): Named | undefined {
  const inner = node.namedChild(0);
  if (!inner) return undefined;
  if (inner.type === 'assignment' || inner.type === 'assignment_expression') {
    const left = inner.childForFieldName('left');
    if (!left || left.text.length > 100) return undefined;
    const role = valueRole(inner.childForFieldName('right'));
    if (NAME_NODES.has(left.type)) return named([left.text], role);
    const member = /^(?:module\.)?(?:exports|[A-Za-z_$][\w$]*)(?:\.prototype)?\.([A-Za-z_$][\w$]*)$/.exec(left.text);
    return left.type === 'member_expression' && member?.[1] && role !== 'value' ? named([member[1]], role) : undefined;
  }
  return inner.type === 'call_expression' ? testCase(inner) : undefined;
}

/** `describe('ferry', () => …)` and `it('arrives', …)`: their words are the best title that a test can have. */
function testCase(call: Node): Named | undefined {
  const callee = call.childForFieldName('function')?.text ?? '';
  const role = TEST_GROUPS.test(callee) ? 'namespace' : TEST_CASES.test(callee) ? 'function' : undefined;
  if (!role) return undefined;
  const values = call.childForFieldName('arguments')?.namedChildren ?? [];
  const body = values.findLast((value) => value && FUNCTION_VALUES.has(value.type));
  const title = values[0] && /string/.test(values[0].type) ? unquoted(values[0].text) : callee;
  const found = body ? named([asOnePart(title)], role) : undefined;
  return found && { ...found, isTest: true };
}

function constantAssignment(node: Node): Named | undefined {
  const left = node.childForFieldName('left');
  return left?.type === 'constant' ? named([left.text], 'value') : undefined;
}

/** C and C++: the name is the innermost declarator. */
function declarator(node: Node, role: DeclarationRole): Named | undefined {
  let current = node.childForFieldName('declarator');
  let isFunction = false;
  for (let depth = 0; current && depth < 20; depth++) {
    if (current.type === 'function_declarator') isFunction = true;
    if (
      NAME_NODES.has(current.type) ||
      ['qualified_identifier', 'destructor_name', 'operator_name', 'template_function'].includes(current.type)
    ) {
      if (node.type === 'field_declaration' && !isFunction) return undefined;
      return named(splitQualified(current.text), role);
    }
    current =
      current.childForFieldName('declarator') ??
      current.namedChildren.find((child) => child && /declarator|identifier|operator_name/.test(child.type)) ??
      null;
  }
  return undefined;
}

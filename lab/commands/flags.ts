import { InvalidArgumentError } from 'commander';
import { number } from '#cli/lab';
import { type AgentName, ALL_AGENTS } from '#learning';

/** A whole number from 0. @throws InvalidArgumentError */
export function nonNegativeInteger(value: string): number {
  const parsed = number(value);
  if (!Number.isInteger(parsed) || parsed < 0) throw new InvalidArgumentError(`"${value}" is not a whole number.`);
  return parsed;
}

/** A share above 0 and below 1. @throws InvalidArgumentError */
export function share(value: string): number {
  const part = number(value);
  if (part <= 0 || part >= 1) throw new InvalidArgumentError('It must lie between 0 and 1.');
  return part;
}

/** Agents, separated by commas. @throws InvalidArgumentError */
export function agentList(value: string): AgentName[] {
  return value.split(',').map((name) => {
    const agent = ALL_AGENTS.find((one) => one === name.trim());
    if (!agent) throw new InvalidArgumentError(`"${name}" is not one of ${ALL_AGENTS.join(', ')}.`);
    return agent;
  });
}

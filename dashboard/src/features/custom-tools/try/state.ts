// What "Try it" remembers while the page is open: the arguments, for whom the tool is called, and the calls that were made.

import { useMutation } from '@tanstack/react-query';
import { fileArgumentsOf } from '@toolgate/contract/custom-tools/file-arguments.ts';
import { type CustomTool, type ToolExecutionResult, ToolgateError } from '@toolgate/sdk';
import { useState } from 'react';
import { invalidateProject, slowProjectApi, useProjectId } from '../../../api/client.ts';
import { jsonProblem } from '../../../ui/forms/json.tsx';

export type Arguments = Record<string, unknown>;

/** One call and what came of it. */
export type Run = {
  number: number;
  at: string;
  text: string;
  args: Arguments;
  member: string | null;
  result: ToolExecutionResult | null;
  error: unknown;
};

export type TryIt = {
  text: string;
  setText(text: string): void;
  /** Null if the text is not a JSON object. */
  args: Arguments | null;
  problem: string | null;
  runAs: 'project' | 'member';
  setRunAs(runAs: 'project' | 'member'): void;
  member: string;
  setMember(member: string): void;
  /** The member as the API takes it. */
  member_external_id: string | undefined;
  runs: Run[];
  /** What the API said about an argument of the last run, while the arguments are still those. */
  refused(argument: string): string | undefined;
  isRunning: boolean;
  run(): void;
  use(run: Run): void;
};

const MAX_RUNS = 20;

export function useTryIt(tool: CustomTool): TryIt {
  const projectId = useProjectId();
  const [text, setText] = useState(() => JSON.stringify(firstArguments(tool), null, 2));
  const [runAs, setRunAs] = useState<'project' | 'member'>(tool.require_member ? 'member' : 'project');
  const [member, setMember] = useState('test_ada');
  const [runs, setRuns] = useState<Run[]>([]);
  const { args, problem } = readArguments(text);
  const member_external_id = runAs === 'member' ? member : undefined;
  const { mutate, isPending } = useMutation({
    mutationFn: () => execute(slowProjectApi(projectId), tool.id, args ?? {}, member_external_id),
    onSuccess: async (outcome) => {
      const run = {
        ...outcome,
        at: new Date().toISOString(),
        text,
        args: args ?? {},
        member: member_external_id ?? null,
      };
      setRuns((before) => [{ ...run, number: (before[0]?.number ?? 0) + 1 }, ...before].slice(0, MAX_RUNS));
      await invalidateProject(projectId, ['tool-calls']);
    },
  });
  return {
    ...{ text, setText, args, problem, runAs, setRunAs, member, setMember, member_external_id, runs },
    refused: (argument) => (runs[0]?.text === text ? problemOf(runs[0], argument) : undefined),
    isRunning: isPending,
    run: mutate,
    use(run) {
      setText(run.text);
      setRunAs(run.member === null ? 'project' : 'member');
      if (run.member !== null) setMember(run.member);
    },
  };
}

/** `lines.0.sku` is a part of the argument `lines`. */
function problemOf({ error }: Run, argument: string): string | undefined {
  if (!(error instanceof ToolgateError)) return undefined;
  const { problems = [] } = error.details as { problems?: { field: string; message: string }[] };
  return problems.find(({ field }) => field.replace(/^arguments\./, '').split(/[./]/)[0] === argument)?.message;
}

/** A refusal is a result too, except that of an ended session. */
async function execute(
  api: ReturnType<typeof slowProjectApi>,
  id: string,
  args: Arguments,
  member_external_id?: string,
) {
  try {
    const response = await api.customTools.test(id, { arguments: args, member_external_id });
    const result = 'task' in response ? await api.tasks.result(response.task.id) : response;
    return { result, error: null };
  } catch (error) {
    if (error instanceof ToolgateError && error.code === 'NOT_SIGNED_IN') throw error;
    return { result: null, error };
  }
}

function readArguments(text: string): { args: Arguments | null; problem: string | null } {
  const problem = jsonProblem(text);
  if (problem !== null) return { args: null, problem };
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { args: null, problem: 'Arguments must be a JSON object' };
  return { args: value as Arguments, problem: null };
}

type Property = { type?: unknown; default?: unknown; examples?: unknown; enum?: unknown };

/** The example that was saved with the tool, or the required properties with something to replace. */
function firstArguments({ input_schema, fixed_arguments }: CustomTool): Arguments {
  const {
    examples,
    properties = {},
    required = [],
  } = input_schema as {
    examples?: unknown;
    properties?: Record<string, Property>;
    required?: string[];
  };
  const [example] = Array.isArray(examples) ? examples : [];
  if (typeof example === 'object' && example !== null) return example as Arguments;
  // A file is chosen: no text stands for one.
  const files = fileArgumentsOf(input_schema);
  const given = required.filter((name) => !Object.hasOwn(fixed_arguments, name) && !files.includes(name));
  return Object.fromEntries(given.map((name) => [name, firstValue(properties[name] ?? {})]));
}

function firstValue({ type, default: given, examples, enum: allowed }: Property): unknown {
  const [first] = [
    given,
    ...(Array.isArray(examples) ? examples : []),
    ...(Array.isArray(allowed) ? allowed : []),
  ].filter((value) => value !== undefined);
  if (first !== undefined) return first;
  const byType: Record<string, unknown> = { number: 1, integer: 1, boolean: false, array: [], object: {} };
  return byType[String(type)] ?? '';
}

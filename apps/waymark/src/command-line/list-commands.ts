import type { Command } from 'commander';

interface CommandEntry {
  /** Such as `flow pin`. */
  name: string;
  description: string;
}

/** Every command below this one that does something itself, in the order of the help. */
export function listCommands(command: Command, way: readonly string[] = []): CommandEntry[] {
  if (command.commands.length === 0)
    return [{ name: way.join(' '), description: command.description() }];
  return command.commands.flatMap((child) => listCommands(child, [...way, child.name()]));
}

/** The commands of the program as a Markdown table: name, what it does. */
export function describeCommands(program: Command): string {
  const rows = listCommands(program).map(
    ({ name, description }) => `| \`${name}\` | ${description.replaceAll('|', '\\|')} |`,
  );
  return ['| command | what it does |', '| --- | --- |', ...rows].join('\n');
}

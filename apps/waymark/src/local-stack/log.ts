const WIDTH = 'blocks-api'.length;

/** One line of the stack's log per line of text, each under the name of who says it. */
export function say(who: string, text: string): void {
  for (const line of text.split('\n'))
    process.stdout.write(`${who.padEnd(WIDTH)} | ${line}\n`.replace(/ \| \n$/, ' |\n'));
}

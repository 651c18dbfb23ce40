import { createInterface } from 'node:readline'

/** Orders from the parent process, one per line: a word with an optional argument. End of input is the order to exit. */
export function takeOrders(orders: Readonly<Record<string, (argument: string) => void>>, onEnd: () => void): void {
  const input = createInterface({ input: process.stdin })
  input.on('line', (line) => {
    const [word = '', argument = ''] = line.split(' ')
    orders[word]?.(argument)
  })
  input.on('close', onEnd)
}

export const report = (line: string): void => void process.stdout.write(`${line}\n`)

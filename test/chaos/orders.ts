import { createInterface } from 'node:readline'

/**
 * Orders from the process that started this one, a line each: a word and perhaps an argument. Its end of input is the order to
 * end in peace.
 */
export function takeOrders(orders: Readonly<Record<string, (argument: string) => void>>, onEnd: () => void): void {
  const input = createInterface({ input: process.stdin })
  input.on('line', (line) => {
    const [word = '', argument = ''] = line.split(' ')
    orders[word]?.(argument)
  })
  input.on('close', onEnd)
}

export const report = (line: string): void => void process.stdout.write(`${line}\n`)

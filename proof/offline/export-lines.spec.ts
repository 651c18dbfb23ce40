import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linesOf } from './export-lines.ts'

const text = fc.array(fc.constantFrom('a', 'é', '\n', '{"x":1}'), { maxLength: 60 }).map((parts) => parts.join(''))

it('lines are the same however the file arrives, and progress is how much was read so far, never more than all of it', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (content, width) => {
      const bytes = new TextEncoder().encode(content)
      const source = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += width) controller.enqueue(bytes.slice(at, at + width))
          controller.close()
        },
      })
      const [lines, read]: [string[], number[]] = [[], []]
      for await (const line of linesOf(source, (so) => read.push(so))) lines.push(new TextDecoder().decode(line.bytes))
      const expected = content.split('\n')
      expect(lines).toEqual(expected.at(-1) === '' ? expected.slice(0, -1) : expected)
      expect(read).toEqual(
        Array.from({ length: Math.ceil(bytes.length / width) }, (_, n) => Math.min((n + 1) * width, bytes.length)),
      )
    }),
  )
})

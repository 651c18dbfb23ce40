import { expect, it } from 'vitest'
import { createStops } from './stops.ts'

const noting = (notes: string[], name: string) => async () => {
  notes.push(name)
}

it('closes resources once, in reverse order of opening', async () => {
  const closed: string[] = []
  const stops = createStops()
  for (const name of ['database', 'log', 'server']) stops.add(noting(closed, name))
  await Promise.all([stops.run(), stops.run()])
  expect(closed).toEqual(['server', 'log', 'database'])
})

it('closes all other resources when one fails to close, and reports the failure at the end', async () => {
  const closed: string[] = []
  const stops = createStops()
  stops.add(noting(closed, 'database'))
  stops.add(() => Promise.reject(new Error('the log hangs')))
  stops.add(noting(closed, 'server'))
  await expect(stops.run()).rejects.toMatchObject({ errors: [new Error('the log hangs')] })
  expect(closed).toEqual(['server', 'database'])
})

it('closes a resource at once that is opened after the stop', async () => {
  const closed: string[] = []
  const stops = createStops()
  await stops.run()
  stops.add(noting(closed, 'late'))
  expect(closed).toEqual(['late'])
})

import { expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import type { Endpoint } from '#contract/http'
import { shownName } from './shown-name.ts'

it.each(['a\r\nBcc: x', 'a\u202eb', 'a\u0007', '\ufeff'])('a name that others see takes no %j', (text) => {
  expect(shownName().safeParse(text).success).toBe(false)
})

type Named = { readonly name?: { readonly safeParse: (value: unknown) => { readonly success: boolean } } }

it('every name in a call that users write is one that can be shown', () => {
  const endpoints: readonly Endpoint[] = ENDPOINTS
  const named = endpoints.flatMap(({ id, input, write }) =>
    write === true && 'shape' in input ? [{ id, name: (input.shape as Named).name }] : [],
  )
  const checked = named.filter(({ name }) => name?.safeParse('a\r\nBcc: x').success === false).map(({ id }) => id)
  expect(checked).toEqual(
    expect.arrayContaining(['label.add', 'view.add', 'reports.save', 'app.requestResource', 'credential.create']),
  )
  const open = named.filter(({ name }) => name?.safeParse('a\r\nBcc: x').success === true)
  expect(open.map(({ id }) => id)).toEqual([])
})

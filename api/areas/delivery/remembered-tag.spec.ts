import { expect, it } from 'vitest'
import { createRememberedTags } from './remembered-tag.ts'

function answers() {
  const state = { version: '1', content: 'a', made: 0 }
  const answer = createRememberedTags(
    async () => state.version,
    async (key) => {
      state.made += 1
      return { etag: `"${key} ${state.content}"`, data: state.content }
    },
  )
  return { state, answer: (etag: string | null, key = 'dsp') => answer(key, (tag) => tag === etag) }
}

it('makes no answer for a caller that knows it, while its version is the same', async () => {
  const { state, answer } = answers()
  const { etag } = await answer(null)
  expect(await answer(etag)).toEqual({ etag })
  expect(state.made).toBe(1)
})

it('makes the answer again after a change, and for a caller without it or of another white-label', async () => {
  const { state, answer } = answers()
  const { etag } = await answer(null)
  expect(await answer(null)).toMatchObject({ data: 'a' })
  expect(await answer(etag, 'other')).toMatchObject({ etag: '"other a"', data: 'a' })
  Object.assign(state, { version: '2', content: 'b' })
  expect(await answer(etag)).toEqual({ etag: '"dsp b"', data: 'b' })
  expect(state.made).toBe(4)
})

it('keeps the tag when a version changes that leaves the content', async () => {
  const { state, answer } = answers()
  const { etag } = await answer(null)
  state.version = '2'
  expect((await answer(etag)).etag).toBe(etag)
})

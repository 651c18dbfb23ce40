import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AppError, UNREADABLE } from '@/data/app-error'
import { readEnvelope } from '@/data/answer'
import { toast } from '@/lib/toast'
import { errorText } from './error-text.ts'
import { errorToast } from './error-toast.ts'
import { chooseLanguage } from './setup.ts'

const ID = '7F3A-9KQ2-XW4D-M8TC'

// Files of one worker share the page.
afterEach(() => void vi.unstubAllGlobals())

/** The error of an answer, as a call throws it. */
function errorOf(status: number, code: number, data: object): unknown {
  try {
    return readEnvelope(status, { type: { code, key: '', message: '' }, data: { errors: [], ...data } })
  } catch (error) {
    return error
  }
}
const unexpected = errorOf(500, 1, { request_id: ID })

beforeEach(async () => {
  vi.restoreAllMocks()
  await chooseLanguage('en')
})

it('an unexpected error says what to tell support', () => {
  expect(errorText(unexpected)).toBe(`Backend exception. Tell support ${ID}`)
  const answer = { code: UNREADABLE, key: 'unreadable', message: '', status: 200, requestId: ID }
  expect(errorText(new AppError(answer))).toBe(`Something went wrong! Tell support ${ID}`)
})

it('an unexpected error says so in Russian', async () => {
  await chooseLanguage('ru')
  expect(errorText(unexpected)).toContain(`Сообщите поддержке код ${ID}`)
})

it('a refusal, and an error without an id, say nothing of support', () => {
  for (const error of [errorOf(409, 140, { request_id: ID }), errorOf(500, 1, {}), new Error('broken')])
    expect(errorText(error)).not.toContain('support')
})

it('the message of an unexpected error stays, with the code to copy', async () => {
  const shown = vi.spyOn(toast, 'error').mockReturnValue(undefined)
  const said = vi.spyOn(toast, 'success').mockReturnValue(undefined)
  const written: string[] = []
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void written.push(text) } })
  errorToast(unexpected)
  const [text, options] = shown.mock.calls[0] ?? []
  expect([text, options?.description, options?.duration]).toEqual(['Backend exception', `Tell support ${ID}`, 20_000])
  const action = options?.action as { readonly label: string; readonly onClick: (event: object) => void }
  const kept = vi.fn<() => void>()
  action.onClick({ preventDefault: kept })
  await waitFor(() => expect(said).toHaveBeenCalledWith('Code copied'))
  expect([action.label, written, kept.mock.calls.length]).toEqual(['Copy the code', [ID], 1])
})

it('the message of any other error is its text alone', () => {
  const shown = vi.spyOn(toast, 'error').mockReturnValue(undefined)
  errorToast(new Error('broken'))
  expect(shown.mock.calls).toEqual([['Something went wrong!']])
})

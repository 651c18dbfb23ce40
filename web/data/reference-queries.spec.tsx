import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { campaignQueries } from '@/data/campaign-queries'
import { serve } from '@/test/server'
import { referenceQueries } from './reference-queries.ts'

const INTERESTS = '/v1/dictionary/meta/interests/en_US'
const COUNTRIES = '/v1/geo/country'
const sports = { key: 'sports', value: 'sports', title: 'Sports', order: 1, deprecated: false, parent: null }

/** Any screen that needs them. */
function Form() {
  const interests = useQuery(referenceQueries.dictionary('interests', 'en'))
  const countries = useQuery(campaignQueries.countries('en'))
  return (
    <p>
      {interests.isError ? 'failed' : interests.data?.[0]?.title}, {countries.data?.[0]?.name}
    </p>
  )
}
const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
async function open(holding: QueryClient) {
  render(
    <QueryClientProvider client={holding}>
      <Form />
    </QueryClientProvider>,
  )
  await pass(10)
}
const egypt = { iso_code: 'EG', name: 'Egypt', timezone_offset_seconds: 7200 }

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('reference data', () => {
  // covers DICT-06 DICT-12 GEO-03
  it('reference data is fetched once, however often and late a form is opened', async () => {
    const calls = serve({ [INTERESTS]: () => [sports], [COUNTRIES]: () => [egypt] })
    const one = client()
    for (let visit = 0; visit < 3; visit++) {
      await open(one)
      expect(screen.getByText('Sports, Egypt')).toBeVisible()
      cleanup()
      await pass(60 * 60_000)
    }
    expect(calls.map(({ path }) => path).toSorted()).toEqual([INTERESTS, COUNTRIES].toSorted())
  })

  // covers DICT-07
  it('reference data is cached only after a successful answer', async () => {
    let fails = true
    const calls = serve({
      [INTERESTS]: () => {
        if (fails) throw new Error('down')
        return [sports]
      },
      [COUNTRIES]: () => [egypt],
    })
    const one = client()
    await open(one)
    expect(screen.getByText('failed, Egypt')).toBeVisible()
    cleanup()
    fails = false
    await open(one)
    expect(screen.getByText('Sports, Egypt')).toBeVisible()
    expect(calls.filter(({ path }) => path === INTERESTS)).toHaveLength(2)
  })
})

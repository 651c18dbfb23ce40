import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ListRow } from '#contract/campaign-list'
import { storeGrant } from '@/session/token-store'
import { BulkBar } from './bulk-bar.tsx'
import { useBulk } from './use-bulk.ts'

const row = (id: string, status_key: number) => ({ id, name: `Campaign ${id}`, status_key }) as ListRow
const ROWS = [row('running', 3), row('paused', 41), row('draft', 0), row('lost', 3)]

function Bench() {
  const bulk = useBulk({ rows: ROWS, total: ROWS.length, scope: 'account', input: {} })
  return (
    <>
      {ROWS.map(({ id }) => (
        <button key={id} onClick={() => bulk.select([id], !bulk.selected.has(id))}>
          {id}
        </button>
      ))}
      <BulkBar bulk={bulk} onEdit={() => undefined} onSchedule={() => undefined} onLabel={() => undefined} />
    </>
  )
}

const sent: string[] = []
beforeEach(() => {
  sent.length = 0
  storeGrant({ access_token: 'a', expires_in: 3600, space_id: 's' }, Date.now())
  vi.stubGlobal('fetch', async (url: string, init: { readonly body: string }) => {
    sent.push(`${url} ${init.body}`)
    const lost = init.body === 'lost'
    const type = lost
      ? { code: 134, key: 'x', message: 'Campaign status does not match the action' }
      : { code: 0, key: 'OK', message: '' }
    const data = lost ? { errors: [] } : { id: init.body, status_key: 41, status_reasons: [], revision: 2, position: '9' }
    return new Response(JSON.stringify({ type, data }), { status: lost ? 409 : 200 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Bench />
    </QueryClientProvider>,
  )

describe('actions on selected campaigns', () => {
  it('actions on selected campaigns appear with the first selected campaign, and count them', async () => {
    open()
    expect(screen.queryByRole('toolbar')).toBeNull()
    await userEvent.click(screen.getByText('running'))
    await userEvent.click(screen.getByText('paused'))
    expect(screen.getByRole('toolbar')).toHaveTextContent('2 selected')
    await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }))
    expect(screen.queryByRole('toolbar')).toBeNull()
  })

  it('actions on selected campaigns are sent for the campaigns whose status allows them, with a reason for each of the others', async () => {
    open()
    for (const { id } of ROWS) await userEvent.click(screen.getByText(id))
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
    const alert = await screen.findByRole('alert')
    expect(sent).toEqual(['/v1/campaign/pause running', '/v1/campaign/pause lost'])
    const reasons = within(alert)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(reasons).toEqual([
      'Campaign paused: It is not running.',
      expect.stringMatching(/^Campaign draft: .*draft/i),
      'Campaign lost: Campaign status does not match the action',
    ])
    // Failed campaigns stay selected.
    expect(screen.getByRole('toolbar')).toHaveTextContent('3 selected')
  })

  it('actions on selected campaigns have shortcuts while campaigns are selected', async () => {
    open()
    await userEvent.keyboard('{Shift>}P{/Shift}')
    expect(sent).toEqual([])
    await userEvent.click(screen.getByText('running'))
    await userEvent.keyboard('{Shift>}P{/Shift}')
    await waitFor(() => expect(sent).toEqual(['/v1/campaign/pause running']))
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { reviewStatistics, reviewStatisticsCsv, type ReviewStatistics } from '#contract/moderation'
import type { Role } from '#domain/kit/access'
import { refusal, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const sums = {
  approved: 7,
  rejected: 3,
  median_minutes: 90,
  p90_minutes: 600,
  in_time: 0.9,
  approved_unchanged: 1,
  second_looks: 4,
  second_looks_agreed: 3,
}
const STATISTICS: ReviewStatistics = {
  total: sums,
  moderators: [
    { id: 'olga', name: 'Olga', ...sums, approved: 5 },
    { id: 'boris', name: 'Boris', ...sums, approved: 2, rejected: 0, median_minutes: 6000, in_time: null },
  ],
  days: [
    { day: '2026-03-02', moderator_id: 'boris', approved: 2, rejected: 0 },
    { day: '2026-03-02', moderator_id: 'olga', approved: 5, rejected: 3 },
  ],
  queue: [
    { day: '2026-03-02', waiting: 4, oldest_minutes: 120 },
    { day: '2026-03-03', waiting: 0, oldest_minutes: null },
  ],
}

function open(role: Role = 'WL_MODERATOR', search = '?start=2026-03-02&end=2026-03-03') {
  const server = signedInServer({ role })
  server.on(reviewStatistics, () => STATISTICS)
  return { server, user: userEvent.setup(), ...renderRoute(`/moderation/statistics${search}`) }
}
const chart = async (name: string) => within(await screen.findByRole('region', { name }))
const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => row.textContent)

/** Fine print 101. */
describe('statistics of moderation', () => {
  it.each(['WL_OWNER', 'WL_MODERATOR', 'AUDITOR'] as const)('statistics of moderation are shown to %s', async (role) => {
    const { server } = open(role)
    const table = await screen.findByRole('table', { name: 'By moderator' })
    expect(rowsOf(table).slice(1)).toEqual(
      ['Olga531.5 h10 h90%143', 'Boris204.2 d10 h–143'].map((text) => text.replace('1.5 h', '90 min')),
    )
    expect(server.calls(reviewStatistics)[0]?.query.toString()).toBe('from=2026-03-02&to=2026-03-03')
  })

  it('statistics of moderation are not for advertisers', async () => {
    const { address } = open('USER_OWNER')
    await waitFor(() => expect(address()).toMatch(/^\/campaigns/))
  })

  it('statistics of moderation show decisions by day, of all or of one moderator, and the queue', async () => {
    const { user } = open()
    const byDay = await chart('Decisions by day')
    expect(rowsOf(byDay.getByRole('table', { name: 'Decisions by day' }))[1]).toContain('73')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Whose decisions' }), 'Boris')
    expect(rowsOf(byDay.getByRole('table', { name: 'Decisions by day' }))[1]).toContain('20')
    const queue = await chart('The queue at the end of each day')
    expect(rowsOf(queue.getByRole('table', { name: 'The queue at the end of each day' }))[1]).toContain('42 h')
  })

  it('statistics of moderation save a CSV file of the same days', async () => {
    const { server, user } = open()
    server.on(reviewStatisticsCsv, () => new Blob(['Moderator']))
    await user.click(await screen.findByRole('button', { name: /CSV/ }))
    await waitFor(() => expect(server.calls(reviewStatisticsCsv)).toHaveLength(1))
    expect(server.calls(reviewStatisticsCsv)[0]?.query.toString()).toBe('from=2026-03-02&to=2026-03-03')
  })

  it('statistics of moderation say why they cannot be loaded', async () => {
    const { server } = open()
    server.on(reviewStatistics, () => refusal(3, 403))
    expect(await screen.findByText('The statistics could not be loaded')).toBeVisible()
  })

  it('statistics of moderation have no faults of accessibility', async () => {
    open()
    await screen.findByRole('table', { name: 'By moderator' })
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

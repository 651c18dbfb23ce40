import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { approveCampaign, moderationQueue, rejectCampaign, type QueuedSubmission } from '#contract/moderation'
import { z } from '#contract/zod'
import { pageOf } from '@/test/fake-server'
import {
  later,
  listedLinks,
  listedNames,
  openApp,
  openQueue,
  shows,
  STARTED,
  stopTheClock,
  three,
  waiting,
} from '@/test/queue-fixture'

stopTheClock()

describe('the list of the queue', () => {
  const row = (patch: Partial<QueuedSubmission>, id: string, started: string) => {
    const { campaign, row: plain } = waiting(id, {}, started)
    return { campaign, row: { ...plain, ...patch } }
  }

  it('shows for each its urgency, whether it is the first of its account, and resubmitted changes', async () => {
    await openQueue([
      row({ first_review: true, creatives: 4 }, 'late', '2026-02-27T10:00:00.000Z'),
      row({ re_review: true, creatives: 0 }, 'soon', '2026-02-27T14:00:00.000Z'),
      row({}, 'calm', STARTED),
    ])
    const links = listedLinks()
    expect(links.map((link) => link.querySelector('[data-urgency]')?.getAttribute('data-urgency'))).toEqual([
      'late',
      'soon',
      'calm',
    ])
    expect(links[0]).toHaveTextContent(/overdue.*Nile Ads.*4 creatives.*First campaign/)
    expect(links[1]).toHaveTextContent(/No creatives.*Changed again/)
    expect(links[2]).not.toHaveTextContent(/First campaign|Changed again/)
    expect(screen.getByText('3 waiting')).toBeVisible()
  })

  it('says that nothing waits', async () => {
    openApp('/moderation', 'WL_OWNER')
    expect(await screen.findByText('Nothing is waiting')).toBeVisible()
  })

  it('the list of the queue is not for advertisers', async () => {
    const app = openApp('/moderation', 'USER_OWNER')
    await waitFor(() => expect(app.address()).toMatch(/^\/campaigns/))
  })

  it('opens what its URL names', async () => {
    await openQueue(three(), undefined, '/moderation?id=two')
    await shows('Campaign two')
    expect(await screen.findByRole('link', { name: /Campaign two/, current: 'page' })).toBeVisible()
  })
})

describe('the keys', () => {
  it('J and K go to the next and the previous one, and the focus goes along', async () => {
    const app = await openQueue(three())
    await app.user.keyboard('j')
    await shows('Campaign two')
    expect(screen.getByRole('heading', { level: 2 })).toHaveFocus()
    expect(app.address()).toBe('/moderation?id=two')
    await app.user.keyboard('j')
    await shows('Campaign three')
    await app.user.keyboard('k')
    await shows('Campaign two')
  })

  it('the keys lead over the ends of pages, back to where one came from', async () => {
    const pages = [[waiting('one'), waiting('two')], [waiting('three')]]
    const asked = z.object({ page: z._default(z.number(), 0) })
    const app = await openQueue(pages.flat(), (server) =>
      server.on(moderationQueue, ({ body }) => pageOf(pages[asked.parse(body).page]?.map(({ row }) => row) ?? [], 26)),
    )
    await app.user.keyboard('j')
    await shows('Campaign two')
    await app.user.keyboard('j')
    await shows('Campaign three')
    expect(app.address()).toBe('/moderation?page=1')
    await app.user.keyboard('k')
    await shows('Campaign two')
    expect(screen.getByRole('heading', { level: 2 })).toHaveFocus()
  })

  it('shows the last page instead of a page beyond it', async () => {
    const asked = z.object({ page: z._default(z.number(), 0) })
    const app = openApp('/moderation?page=7', 'WL_MODERATOR', three(), (server) =>
      server.on(moderationQueue, ({ body }) => {
        const rows = asked.parse(body).page === 1 ? [waiting('three').row] : []
        return pageOf(rows, 26)
      }),
    )
    await shows('Campaign three')
    expect(app.address()).toBe('/moderation?page=1')
  })

  it('S goes on without a decision, and does nothing at the end', async () => {
    const app = await openQueue([waiting('one'), waiting('two')])
    await app.user.keyboard('s')
    await shows('Campaign two')
    await app.user.keyboard('s')
    await later()
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('Campaign two')
    expect([...app.sent(approveCampaign), ...app.sent(rejectCampaign)]).toEqual([])
  })

  // covers FP-101
  it('A approves and shows the next one at once; it is sent when it can no longer be taken back', async () => {
    const app = await openQueue(three())
    await app.user.keyboard('a')
    await shows('Campaign two')
    expect(listedNames()).toEqual(['Campaign two', 'Campaign three'])
    expect(screen.getByText('2 waiting')).toBeVisible()
    expect(await screen.findByText('Campaign Approved Successfully')).toBeVisible()
    expect(app.sent(approveCampaign)).toEqual([])
    await later()
    // Categories and exchanges stay those of the campaign.
    expect(app.sent(approveCampaign)).toEqual([{ campaign_id: 'one', moderation_start_at: STARTED }])
  })

  // covers FP-101
  it.each(['the toast', 'Z'])('an approval can be taken back by %s: it is looked at again, and nothing is sent', async (way) => {
    const app = await openQueue(three())
    await app.user.keyboard('a')
    await shows('Campaign two')
    if (way === 'Z') await app.user.keyboard('z')
    else await app.user.click(await screen.findByRole('button', { name: 'Undo' }))
    await shows('Campaign one')
    expect(listedNames()).toEqual(['Campaign one', 'Campaign two', 'Campaign three'])
    await later()
    expect(app.sent(approveCampaign)).toEqual([])
  })

  // covers FP-101
  it('leaving the page sends what still waits, once', async () => {
    const app = await openQueue(three())
    await app.user.keyboard('a')
    await shows('Campaign two')
    await app.user.click(screen.getByRole('link', { name: 'Campaigns' }))
    await waitFor(() => expect(app.sent(approveCampaign)).toHaveLength(1))
    await later()
    expect(app.sent(approveCampaign)).toHaveLength(1)
  })

  it('closing the page sends a waiting decision too', async () => {
    const app = await openQueue(three())
    await app.user.keyboard('a')
    window.dispatchEvent(new Event('pagehide'))
    await waitFor(() => expect(app.sent(approveCampaign)).toHaveLength(1))
  })

  it('O opens the form', async () => {
    const app = await openQueue(three())
    await app.user.keyboard('o')
    await waitFor(() => expect(app.address()).toMatch(/^\/campaign\/edit\/one/))
  })

  it('the keys say what they are on the buttons and to assistive tech, and ? lists them', async () => {
    const app = await openQueue(three())
    const approve = screen.getByRole('button', { name: 'Approve' })
    expect(approve).toHaveAttribute('aria-keyshortcuts', 'A')
    expect(within(approve).getByText('A')).toBeVisible()
    await app.user.keyboard('?')
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    for (const label of ['Approve', 'Reject', 'Skip', 'Next campaign', 'Open in form'])
      expect(help.getByText(label)).toBeVisible()
    await app.user.keyboard('a')
    await later()
    expect(app.sent(approveCampaign)).toEqual([])
  })

  it('the keys rest once they are switched off in the menu of the person', async () => {
    const app = await openQueue(three())
    await app.user.click(await screen.findByRole('button', { name: /Ada Nile/ }))
    await app.user.click(await screen.findByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }))
    expect(localStorage.getItem('DSP_SINGLE_KEYS')).toBe('off')
    await app.user.keyboard('{Escape}a')
    await later()
    expect(app.sent(approveCampaign)).toEqual([])
    expect(within(screen.getByRole('button', { name: 'Approve' })).queryByText('A')).toBeNull()
  })
})

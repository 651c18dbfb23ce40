import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { approveCampaign, moderationQueue, rejectCampaign } from '#contract/moderation'
import { audienceResources } from '#contract/reference'
import { campaignTotal } from '#contract/reports'
import { pageOf, refusal, READ_AT } from '@/test/fake-server'
import { later, listedNames, openQueue, shows, STARTED, stopTheClock, three, waiting } from '@/test/queue-fixture'

stopTheClock()

/** Opens the rejection by its key, and waits for its fields. */
async function pressR({ user }: { readonly user: UserEvent }) {
  await user.keyboard('r')
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Misleading claim' })).toHaveFocus())
}

describe('rejecting', () => {
  it('R leads to the first reason beside the ads; Ctrl+Enter sends it and shows the next one', async () => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.keyboard(' {Control>}{Enter}{/Control}')
    await shows('Campaign two')
    expect(app.sent(rejectCampaign)).toEqual([])
    expect(listedNames()).toEqual(['Campaign two', 'Campaign three'])
    await later()
    expect(app.sent(rejectCampaign)).toEqual([
      {
        campaign_id: 'one',
        moderation_start_at: STARTED,
        comment: 'The ad makes a claim that is misleading or cannot be verified.',
      },
    ])
  })

  it.each(['the toast', 'Z'])('a rejection can be undone by %s: it is shown again with what was typed', async (way) => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.keyboard(' See the logo.{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    if (way === 'Z') await app.user.keyboard('z')
    else await app.user.click(await screen.findByRole('button', { name: 'Undo' }))
    await shows('Campaign one')
    expect(listedNames()).toEqual(['Campaign one', 'Campaign two', 'Campaign three'])
    expect(screen.getByRole('checkbox', { name: 'Misleading claim' })).toBeChecked()
    expect(screen.getByLabelText('In your words')).toHaveValue('See the logo.')
    await later()
    expect(app.sent(rejectCampaign)).toEqual([])
    // As unsaved as before.
    await app.user.click(within(screen.getByRole('list', { name: 'Waiting campaigns' })).getByText('Campaign two'))
    expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible()
  })

  it('the toast of a rejection names the campaign', async () => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.keyboard(' {Control>}{Enter}{/Control}')
    const toast = (await screen.findByText('Campaign rejected successfully!')).closest<HTMLElement>('li')
    expect(toast).toHaveTextContent('Campaign one')
  })

  it('Approve with… can be undone: it is shown again with what was chosen', async () => {
    const app = await openQueue(three())
    const dialog = async () => within(await screen.findByRole('dialog', { name: 'Approve campaign' }))
    await app.user.click(screen.getByRole('button', { name: 'Approve with…' }))
    await app.user.click((await dialog()).getByRole('checkbox', { name: 'Verve Group' }))
    await app.user.click((await dialog()).getByRole('button', { name: 'Approve' }))
    await shows('Campaign two')
    await app.user.keyboard('z')
    await waitFor(async () => expect((await dialog()).getByRole('checkbox', { name: 'Verve Group' })).toBeChecked())
    await later()
    expect(app.sent(approveCampaign)).toEqual([])
  })

  it('leaving the page sends a rejection, once', async () => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.keyboard(' {Control>}{Enter}{/Control}')
    await shows('Campaign two')
    await app.user.click(screen.getByRole('link', { name: 'Campaigns' }))
    await waitFor(() => expect(app.sent(rejectCampaign)).toHaveLength(1))
    await later()
    expect(app.sent(rejectCampaign)).toHaveLength(1)
  })

  it('a key right after R decides nothing', async () => {
    const app = await openQueue(three())
    await app.user.keyboard('ra')
    await later()
    expect(app.sent(approveCampaign)).toEqual([])
  })

  it('names the command key on a Mac', async () => {
    const agent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Macintosh)')
    onTestFinished(() => agent.mockRestore())
    const app = await openQueue(three())
    await pressR(app)
    const send = within(screen.getByRole('dialog')).getByRole('button', { name: /^Reject/ })
    expect(send).toHaveAttribute('aria-keyshortcuts', 'Meta+Enter')
    expect(send).toHaveTextContent('⌘Enter')
  })

  it('begins the words with a letter that is typed while a reason has the focus', async () => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.keyboard(' j\u0444')
    expect(screen.getByRole('checkbox', { name: 'Misleading claim' })).toBeChecked()
    expect(screen.getByLabelText('In your words')).toHaveValue('jф')
  })

  // covers CAM-MOD-10
  it('sends nothing without a reason, and Escape leads back to where it began', async () => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Tick a reason, or say what has to change.')).toBeVisible()
    // Letters are only letters while the reason is written.
    await app.user.keyboard('jas')
    expect(screen.getByLabelText('In your words')).toHaveValue('jas')
    await app.user.clear(screen.getByLabelText('In your words'))
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('button', { name: 'Reject' })).toHaveFocus()
    expect(app.sent(rejectCampaign)).toEqual([])
  })

  it.each([
    ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
    [
      'another submission',
      (user: UserEvent) => user.click(within(screen.getByRole('list', { name: 'Waiting campaigns' })).getByText('Campaign two')),
    ],
  ] as const)('the words of a rejection were lost without a question by %s', async (_, leave) => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.type(screen.getByLabelText('In your words'), 'See the second banner.')
    await leave(app.user)
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
    await app.user.click(within(question).getByRole('button', { name: 'Stay' }))
    expect(screen.getByLabelText('In your words')).toHaveValue('See the second banner.')
    await leave(app.user)
    await app.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(screen.queryByLabelText('In your words')).toBeNull())
  })

  it('shows the next submission without a question once words were sent', async () => {
    const app = await openQueue(three())
    await pressR(app)
    await app.user.type(screen.getByLabelText('In your words'), 'See the second banner.')
    await app.user.keyboard('{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

describe('a decision that is refused', () => {
  it('comes back into the queue with the reason: somebody has decided', async () => {
    const app = await openQueue(three(), (server) => server.on(approveCampaign, () => refusal(136, 409)))
    await app.user.keyboard('a')
    await shows('Campaign two')
    await later()
    expect(await screen.findByText('Not approved: Campaign one')).toBeVisible()
    await app.user.click(screen.getByRole('button', { name: 'Show' }))
    await shows('Campaign one')
    expect(screen.getByRole('alert')).toHaveTextContent('Your decision was not saved')
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDisabled()
  })

  it.each([
    [3, 403, 'Your role does not allow you to moderate'],
    [134, 409, 'An archived campaign is not reviewed'],
    [138, 409, 'changed after you opened it'],
    [1, 500, 'The decision was not saved'],
  ])('a decision that is refused is explained in place: code %i', async (code, status, text) => {
    const app = await openQueue(three(), (server) => server.on(rejectCampaign, () => refusal(code, status)))
    await pressR(app)
    await app.user.keyboard(' See the logo.{Control>}{Enter}{/Control}')
    await shows('Campaign two')
    await later()
    expect(await screen.findByText('Not rejected: Campaign one')).toBeVisible()
    await app.user.click(screen.getByRole('button', { name: 'Show' }))
    await shows('Campaign one')
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
    expect(screen.getByLabelText('In your words')).toHaveValue('See the logo.')
  })

  it('a decision that is refused can be made again after a reload: the refusal was of the moment', async () => {
    let fails = true
    const app = await openQueue([waiting('one')], (server) =>
      server.on(approveCampaign, () =>
        fails ? refusal(1, 500) : { id: 'one', status_key: 3, status_reasons: [], revision: 4, position: '9' },
      ),
    )
    await app.user.keyboard('a')
    await later()
    await app.user.click(await screen.findByRole('button', { name: 'Show' }))
    fails = false
    await app.user.click(await screen.findByRole('button', { name: 'Reload' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Approve' })).toBeEnabled())
    await app.user.keyboard('a')
    await later()
    expect(app.sent(approveCampaign)).toHaveLength(2)
    expect(await screen.findByText('Nothing is waiting')).toBeVisible()
  })

  it('keeps showing a submission that changed, disables the decision, and reloads it on request', async () => {
    let current = waiting('one', { budget: 50 })
    const app = await openQueue([current, waiting('two')], (server) => server.on(getCampaign, () => current.campaign))
    current = waiting('one', { budget: 80 }, '2026-03-02T10:30:00.000Z')
    await app.queryClient.invalidateQueries()
    expect(await screen.findByRole('alert')).toHaveTextContent('Updated while in moderation')
    expect(screen.getByText('$50.00 a day')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDisabled()
    await app.user.click(screen.getByRole('button', { name: 'Reload' }))
    expect(await screen.findByText('$80.00 a day')).toBeVisible()
    await app.user.keyboard('a')
    await later()
    expect(app.sent(approveCampaign)).toEqual([{ campaign_id: 'one', moderation_start_at: '2026-03-02T10:30:00.000Z' }])
  })
})

describe('a submission', () => {
  const banner = {
    id: 'b',
    width: 300,
    height: 250,
    file_id: 'f',
    url: '/f.png',
    creative_name: 'Giza',
    type_key: 1,
    size_key: null,
  }
  const verdict = (status: 'approved' | 'disapproved', topics: readonly string[] = []) => ({
    status,
    topics: topics.map((policyTopic) => ({ policyTopic })),
  })

  it('a submission of an approved campaign shows what changed before everything else', async () => {
    await openQueue([
      waiting('one', {
        approved_version: 2,
        unapproved_changes: [{ path: 'product_url', from: 'https://a.example', to: 'https://b.example' }],
      }),
    ])
    const changes = screen.getByRole('region', { name: 'Changed since the approved version' })
    expect(await within(changes).findByRole('table')).toHaveTextContent('https://b.example')
    const links = screen.getByRole('region', { name: 'Where clicks lead' })
    expect(changes.compareDocumentPosition(links)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('shows where clicks lead and every creative with what exchanges decided', async () => {
    const decision = {
      dealsPolicyCompliance: verdict('approved'),
      networkPolicyCompliance: verdict('disapproved', ['Alcohol', 'Tobacco']),
      platformPolicyCompliance: verdict('approved'),
    }
    await openQueue([
      waiting('one', {
        product_url: 'https://nile.example/landing',
        visuals: { banners: [{ ...banner, creativeServingDecision: decision }] },
        audio_ads: [
          { id: 'a', fileId: 'g', name: 'Spot', url: '/s.mp3', size: 1, extension: 'mp3', creativeServingDecision: null },
        ],
      }),
    ])
    expect(screen.getByRole('link', { name: 'https://nile.example/landing' })).toHaveAttribute('rel', 'noreferrer noopener')
    const picture = within(screen.getByRole('article', { name: 'Giza' }))
    expect(picture.getByText('Disapproved: Alcohol, Tobacco')).toBeVisible()
    expect(picture.getByRole('img')).toBeVisible()
    expect(screen.getByRole('article', { name: 'Spot' }).querySelector('audio')).not.toBeNull()
  })

  it('a submission that was rejected before shows with which words', async () => {
    await openQueue([waiting('one', { moderator_comment: 'The logo is blurred.' })])
    expect(screen.getByText('The logo is blurred.')).toBeVisible()
  })

  it('leads to the others of its account', async () => {
    const app = await openQueue(three())
    const others = await screen.findByRole('region', { name: '2 more from this account' })
    await app.user.click(within(others).getByRole('link', { name: /Campaign three/ }))
    await shows('Campaign three')
  })

  it('a submission that no longer waits says so and cannot be decided about', async () => {
    await openQueue(
      [waiting('two')],
      (server) => server.on(getCampaign, () => waiting('gone', { review: 'approved', status_key: 3 }).campaign),
      '/moderation?id=gone',
    )
    expect(screen.getByText('No longer waiting')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDisabled()
  })
})

const PRIME_VIDEO = {
  id: 'prime-video',
  name: 'Prime Video',
  icon: null,
  users_min: 1,
  users_max: 2,
  type: 'app',
  bundle_ids: [],
}

it('apps are named as the catalogue names them, not by their ids', async () => {
  const { campaign, row } = waiting('one')
  const targeting = { ...campaign.targeting, apps: { include: [], includeAny: ['prime-video'], exclude: ['unlisted'] } }
  await openQueue([{ campaign: { ...campaign, targeting }, row }], (server) =>
    server.on(audienceResources, ({ query }) => (query.get('name') === 'prime video' ? [PRIME_VIDEO] : [])),
  )
  expect(await screen.findByText(/Prime Video/)).toHaveTextContent('Any of: Prime Video; Exclude: unlisted')
})

describe('help', () => {
  it('the help of icons shows when the keyboard reaches them', async () => {
    await openQueue(three())
    act(() => screen.getByRole('button', { name: 'Next campaign' }).focus())
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Next campaign')
  })

  it('says beside a campaign what its marks mean', async () => {
    const { row, campaign } = waiting('one')
    await openQueue([{ campaign, row: { ...row, first_review: true } }])
    expect(screen.getByText('Nothing of this account was ever approved.')).toBeVisible()
  })
})

describe('money', () => {
  it('money is in the currency of the account for a campaign that is not on this page of the queue', async () => {
    const linked = waiting('linked', { budget: 50_000 })
    let answer = () => {}
    const known = new Promise<void>((resolve) => {
      answer = resolve
    })
    await openQueue(
      [waiting('one')],
      (server) => {
        server.on(moderationQueue, ({ body }) =>
          pageOf(body !== null && typeof body === 'object' && 'space_id' in body ? [] : [waiting('one').row]),
        )
        server.on(getCampaign, () => linked.campaign)
        server.on(campaignTotal, async () => {
          await known
          return {
            current_period_clicks: 0,
            current_period_impressions: 0,
            current_period_spent: 0,
            ...READ_AT,
            currency: 'NGN',
          }
        })
      },
      '/moderation?id=linked',
    )
    expect(await screen.findByText('Budget')).toBeVisible()
    expect(screen.queryByText(/50,000/)).toBeNull()
    answer()
    expect(await screen.findByText('₦50,000.00 a day')).toBeVisible()
    expect(screen.queryByText(/\$/)).toBeNull()
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign } from '#contract/campaign'
import { approveCampaign, rejectCampaign } from '#contract/moderation'
import { dictionary } from '#contract/reference'
import type { Role } from '#domain/kit/access'
import { logOut } from '@/session/log-out'
import { refusal, type FakeServer } from '@/test/fake-server'
import { later, openApp, STARTED, stopTheClock, waiting } from '@/test/queue-fixture'

const categories = [
  { key: 'IAB1', value: 'IAB1', title: 'Arts & Entertainment', order: 1, parent: null, deprecated: false },
  { key: 'IAB2', value: 'IAB2', title: 'Automotive', order: 2, parent: null, deprecated: false },
]

/** The form of a campaign, as somebody with the role opens it. */
async function openForm(role: Role, patch: Partial<Campaign> = {}, arrange?: (server: FakeServer) => void) {
  const app = openApp('/campaign/edit/one?tab=basicInfo', role, [waiting('one', patch)], (server) => {
    server.on(dictionary, () => categories)
    arrange?.(server)
  })
  await screen.findByRole('textbox', { name: 'Campaign name' })
  return app
}
const panel = () => screen.queryByRole('region', { name: 'Waiting for your decision' })
async function openDialog(app: Awaited<ReturnType<typeof openForm>>, verdict: 'Approve' | 'Reject') {
  await app.user.click(
    within(await screen.findByRole('region', { name: 'Waiting for your decision' })).getByRole('button', { name: verdict }),
  )
  return within(await screen.findByRole('dialog', { name: `${verdict} campaign` }))
}

/** The dialog of a decision that was refused, from the message about it. */
async function shownAgain({ user }: Awaited<ReturnType<typeof openForm>>, verdict: 'Approve' | 'Reject') {
  await later()
  await user.click(await screen.findByRole('button', { name: 'Show' }))
  return within(await screen.findByRole('dialog', { name: `${verdict} campaign` }))
}

stopTheClock()

describe('the moderation panel of the form', () => {
  // covers CAM-MOD-01
  it.each(['WL_OWNER', 'WL_MODERATOR'] as const)('stands above the form for %s', async (role) => {
    await openForm(role)
    const form = screen.getByRole('textbox', { name: 'Campaign name' })
    await waitFor(() => expect(panel()).not.toBeNull())
    expect(panel()?.compareDocumentPosition(form)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  // covers CAM-MOD-02
  it.each([0, 2, 3, 5, 6, 31, 40, 41, 42, 43, 44, 45])(
    'the moderation panel of the form is not there for status %i',
    async (status_key) => {
      await openForm('WL_OWNER', { status_key, review: status_key === 2 ? 'rejected' : status_key === 0 ? 'none' : 'approved' })
      expect(panel()).toBeNull()
    },
  )

  it('stands above a running campaign while its change waits', async () => {
    await openForm('WL_OWNER', { status_key: 3, approved_version: 2, need_moderation: true })
    await waitFor(() => expect(panel()).not.toBeNull())
  })

  // covers CAM-MOD-03
  it('the moderation panel of the form is not there for the advertiser', async () => {
    await openForm('USER_OWNER')
    expect(panel()).toBeNull()
  })

  it('shows first what changed since the approved version', async () => {
    await openForm('WL_OWNER', { approved_version: 2, unapproved_changes: [{ path: 'budget', from: 50, to: 80 }] })
    expect(within(await screen.findByRole('region', { name: 'Waiting for your decision' })).getByRole('table')).toHaveTextContent(
      '80',
    )
  })
})

describe('approving from the form', () => {
  // covers CAM-MOD-04 CAM-MOD-06 CAM-MOD-07 CAM-MOD-09 CAM-ERR-21
  it('takes categories and exchanges, says so, and leads back to the list', async () => {
    const app = await openForm('WL_OWNER')
    const dialog = await openDialog(app, 'Approve')
    await app.user.click(dialog.getByRole('combobox', { name: 'Find a category' }))
    await app.user.click(await screen.findByRole('option', { name: /Automotive/ }))
    await app.user.keyboard('{Escape}')
    await app.user.click(dialog.getByRole('checkbox', { name: 'Verve Group' }))
    await app.user.click(dialog.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('Campaign Approved Successfully')).toBeVisible()
    expect(app.sent(approveCampaign)).toEqual([])
    await later()
    expect(app.sent(approveCampaign)).toEqual([
      { campaign_id: 'one', moderation_start_at: STARTED, category_keys: ['IAB2'], exchange_id: ['verve'] },
    ])
    await waitFor(() => expect(app.address()).toMatch(/^\/campaigns/))
  })

  // covers CAM-MOD-08
  it('approving from the form with no exchange sends none, which is all of them', async () => {
    const app = await openForm('WL_OWNER')
    const dialog = await openDialog(app, 'Approve')
    expect(dialog.getByText('None chosen means all of them.')).toBeVisible()
    await app.user.click(dialog.getByRole('button', { name: 'Approve' }))
    await screen.findByText('Campaign Approved Successfully')
    await later()
    expect(app.sent(approveCampaign)).toMatchObject([{ exchange_id: [] }])
  })

  it('explains in place that it was changed meanwhile, and shows the newest on request', async () => {
    let budget = 50
    const app = await openForm('WL_OWNER', {}, (server) => {
      server.on(getCampaign, () => waiting('one', { budget }).campaign)
      server.on(approveCampaign, () => refusal(138, 409))
    })
    let dialog = await openDialog(app, 'Approve')
    await app.user.click(dialog.getByRole('button', { name: 'Approve' }))
    dialog = await shownAgain(app, 'Approve')
    expect(await dialog.findByRole('alert')).toHaveTextContent('changed after you opened it')
    expect(dialog.getByRole('button', { name: 'Approve' })).toBeDisabled()
    budget = 80
    await app.user.click(dialog.getByRole('button', { name: 'Reload' }))
    await waitFor(() => expect(screen.getByLabelText(/budget/i, { selector: 'input[inputmode]' })).toHaveValue('80'))
    expect(app.address()).toContain('/campaign/edit/one')
  })

  // covers CAM-ERR-07
  it('leads to the list when the newer version cannot be loaded', async () => {
    let fails = false
    const app = await openForm('WL_OWNER', {}, (server) => {
      server.on(getCampaign, () => (fails ? refusal(130, 404) : waiting('one').campaign))
      server.on(approveCampaign, () => refusal(138, 409))
    })
    let dialog = await openDialog(app, 'Approve')
    await app.user.click(dialog.getByRole('button', { name: 'Approve' }))
    dialog = await shownAgain(app, 'Approve')
    await dialog.findByRole('alert')
    fails = true
    await app.user.click(dialog.getByRole('button', { name: 'Reload' }))
    await waitFor(() => expect(app.address()).toMatch(/^\/campaigns/))
    expect(await screen.findByText('Something went wrong!')).toBeVisible()
  })
})

describe('rejecting from the form', () => {
  // covers CAM-MOD-05 CAM-MOD-10
  it('sends nothing without a reason, and leads to where it is missing', async () => {
    const app = await openForm('WL_OWNER')
    const dialog = await openDialog(app, 'Reject')
    await app.user.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(await dialog.findByText('Tick a reason, or say what has to change.')).toBeVisible()
    expect(dialog.getByRole('textbox')).toHaveFocus()
    await app.user.type(dialog.getByRole('textbox'), '   ')
    await app.user.click(dialog.getByRole('button', { name: 'Reject' }))
    await app.user.click(dialog.getByRole('checkbox', { name: 'Other' }))
    await app.user.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(app.sent(rejectCampaign)).toEqual([])
  })

  it('asks before Escape loses the words of a rejection', async () => {
    const app = await openForm('WL_OWNER')
    const dialog = await openDialog(app, 'Reject')
    await app.user.type(dialog.getByRole('textbox'), 'See the second banner.')
    await app.user.keyboard('{Escape}')
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
    await app.user.click(within(question).getByRole('button', { name: 'Stay' }))
    expect(dialog.getByRole('textbox')).toHaveValue('See the second banner.')
    await app.user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  // covers CAM-MOD-11 CAM-ERR-20
  it('sends the reasons in words and then the own ones, says so, and leads back to the list', async () => {
    const app = await openForm('WL_OWNER')
    const dialog = await openDialog(app, 'Reject')
    await app.user.click(dialog.getByRole('checkbox', { name: 'Adult content' }))
    await app.user.click(dialog.getByRole('checkbox', { name: 'Misleading claim' }))
    await app.user.type(dialog.getByRole('textbox'), 'See the second banner.')
    await app.user.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(await screen.findByText('Campaign rejected successfully!')).toBeVisible()
    expect(app.sent(rejectCampaign)).toEqual([])
    await later()
    expect(app.sent(rejectCampaign)).toEqual([
      {
        campaign_id: 'one',
        moderation_start_at: STARTED,
        comment:
          'The ad makes a claim that is misleading or cannot be verified.\nThe ad or its landing page shows adult content.\n\nSee the second banner.',
      },
    ])
    await waitFor(() => expect(app.address()).toMatch(/^\/campaigns/))
  })

  it('rejecting from the form can be undone in the list: the campaign is shown again with what was typed', async () => {
    const app = await openForm('WL_OWNER')
    const dialog = await openDialog(app, 'Reject')
    await app.user.type(dialog.getByRole('textbox'), 'See the second banner.')
    await app.user.click(dialog.getByRole('button', { name: 'Reject' }))
    await waitFor(() => expect(app.address()).toMatch(/^\/campaigns/))
    await app.user.click(await screen.findByRole('button', { name: 'Undo' }))
    const again = within(await screen.findByRole('dialog', { name: 'Reject campaign' }))
    expect(again.getByRole('textbox')).toHaveValue('See the second banner.')
    await later()
    expect(app.sent(rejectCampaign)).toEqual([])
  })

  it('rejecting from the form is sent by a sign-out, before the session ends', async () => {
    const app = await openForm('WL_OWNER')
    const dialog = await openDialog(app, 'Reject')
    await app.user.type(dialog.getByRole('textbox'), 'See the second banner.')
    await app.user.click(dialog.getByRole('button', { name: 'Reject' }))
    await waitFor(() => expect(app.address()).toMatch(/^\/campaigns/))
    logOut()
    await waitFor(() => expect(app.sent(rejectCampaign)).toHaveLength(1))
  })
})

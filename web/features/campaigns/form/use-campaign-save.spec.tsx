import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign, updateCampaign } from '#contract/campaign'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignQueries } from '@/data/campaign-queries'
import { campaignWith } from '@/test/campaign-form'

const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }
const before = campaignWith({ id: 'campaign-1', revision: 1, name: 'Autumn', country: 'EGY', bidding_strategy })
const after = { ...before, revision: 2, name: 'Autumn 2027' }

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

it('a read that began before a save and ends after it does not take the saved campaign off the screen', async () => {
  const server = signedInServer()
  server.on(getCampaign, () => before)
  server.on(updateCampaign, () => ({ ...after, position: '9' }))
  const { queryClient } = renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
  await userEvent.type(await screen.findByLabelText('Campaign name'), ' 2027')

  let answerLate: (campaign: Campaign) => void = () => {}
  server.on(
    getCampaign,
    () =>
      new Promise((resolve) => {
        answerLate = resolve
      }),
  )
  const asked = server.calls(getCampaign).length
  void queryClient.invalidateQueries({ queryKey: campaignQueries.detail('campaign-1').queryKey })
  await waitFor(() => expect(server.calls(getCampaign)).toHaveLength(asked + 1))

  await userEvent.click(screen.getByRole('button', { name: 'Save & Next' }))
  await heading('Autumn 2027')
  answerLate(before)
  await waitFor(() => expect(queryClient.isFetching({ queryKey: campaignQueries.details() })).toBe(0))
  expect(await heading('Autumn 2027')).toBeVisible()
})

import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignQueries } from '@/data/campaign-queries'
import { campaignWith } from '@/test/campaign-form'

const version = (revision: number, name: string) => campaignWith({ id: 'campaign-1', revision, name })

/** The form of a campaign that somebody else may save meanwhile. */
async function open() {
  const server = signedInServer({ role: 'USER_OWNER' })
  server.on(getCampaign, () => version(1, 'Autumn'))
  const { queryClient } = renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
  const field = await screen.findByLabelText('Campaign name')
  await screen.findByRole('button', { name: 'Publish' })
  return {
    field,
    savedByOthers: async (name: string) => {
      server.on(getCampaign, () => version(2, name))
      await act(() => queryClient.invalidateQueries({ queryKey: campaignQueries.details() }))
      expect(await screen.findByRole('heading', { level: 1, name })).toBeVisible()
    },
  }
}

it('shows what others saved while nothing was typed', async () => {
  const { field, savedByOthers } = await open()
  await savedByOthers('Winter')
  await waitFor(() => expect(field).toHaveValue('Winter'))
  expect(screen.queryByText('Unsaved changes')).toBeNull()
})

it('keeps what was typed before what others saved, until it is taken back', async () => {
  const { field, savedByOthers } = await open()
  await userEvent.type(field, '!')
  await savedByOthers('Winter')
  expect(field).toHaveValue('Autumn!')
  expect(screen.getByText('Unsaved changes')).toBeVisible()
  await userEvent.type(field, '{Backspace}')
  await waitFor(() => expect(field).toHaveValue('Winter'))
})

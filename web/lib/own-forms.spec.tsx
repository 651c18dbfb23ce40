import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { DialogPanel } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'

it('rejecting a campaign in a dialog saved the form around it: a form in a dialog submits itself alone', async () => {
  const [around, inside] = [vi.fn(), vi.fn()]
  render(
    <form onSubmit={around}>
      <Dialog open>
        <DialogPanel title="Reject" description="Why">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              inside()
            }}
          >
            <button type="submit">Send</button>
          </form>
        </DialogPanel>
      </Dialog>
    </form>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(inside).toHaveBeenCalledTimes(1)
  expect(around).not.toHaveBeenCalled()
})

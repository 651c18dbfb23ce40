import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { DialogPanel } from './dialog-panel.tsx'
import { AlertDialog, AlertDialogContent, AlertDialogTitle } from './ui/alert-dialog.tsx'
import { Dialog, DialogContent, DialogTitle } from './ui/dialog.tsx'
import { Popover, PopoverContent, PopoverTrigger } from './ui/popover.tsx'
import { Sheet, SheetContent, SheetTitle } from './ui/sheet.tsx'

const inner = (onSubmit: () => void) => (
  <form
    aria-label="Inner"
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  />
)
const PANELS = {
  'a dialog': (form: ReactNode) => (
    <Dialog open>
      <DialogContent aria-describedby={undefined}>
        <DialogTitle>Title</DialogTitle>
        {form}
      </DialogContent>
    </Dialog>
  ),
  'a dialog with a title bar': (form: ReactNode) => (
    <Dialog open>
      <DialogPanel title="Title">{form}</DialogPanel>
    </Dialog>
  ),
  'an alert dialog': (form: ReactNode) => (
    <AlertDialog open>
      <AlertDialogContent aria-describedby={undefined}>
        <AlertDialogTitle>Title</AlertDialogTitle>
        {form}
      </AlertDialogContent>
    </AlertDialog>
  ),
  'a sheet': (form: ReactNode) => (
    <Sheet open>
      <SheetContent aria-describedby={undefined}>
        <SheetTitle>Title</SheetTitle>
        {form}
      </SheetContent>
    </Sheet>
  ),
  'a popover': (form: ReactNode) => (
    <Popover open>
      <PopoverTrigger>Open</PopoverTrigger>
      <PopoverContent>{form}</PopoverContent>
    </Popover>
  ),
} as const

describe('a form in a panel that stands in another form', () => {
  it.each(Object.entries(PANELS))('submits itself alone: %s', (_, panel) => {
    const [outside, inside] = [vi.fn(), vi.fn()]
    render(
      <form aria-label="Outer" onSubmit={outside}>
        {panel(inner(inside))}
      </form>,
    )
    fireEvent.submit(screen.getByRole('form', { name: 'Inner', hidden: true }))
    expect([inside.mock.calls.length, outside.mock.calls.length]).toEqual([1, 0])
  })
})

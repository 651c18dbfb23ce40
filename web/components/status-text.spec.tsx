import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { StatusText } from './status-text.tsx'

const GREEN = 'bg-success-dot'
const ORANGE = 'bg-warning-dot'
const RED = 'bg-destructive-dot'
const GREY = 'bg-idle-dot'

describe('a status', () => {
  it.each([
    [3, 'Running', GREEN], // covers CAM-STATUS-30
    [31, 'Running, daily budget reached', GREEN], // covers CAM-STATUS-31
    [1, 'In Moderation', ORANGE], // covers CAM-STATUS-32
    [6, 'Waiting for ad exchange', ORANGE], // covers CAM-STATUS-33
    [2, 'Rejected', RED], // covers CAM-STATUS-34
    [0, 'Draft', GREY], // covers CAM-STATUS-35
    [5, 'Archived', GREY], // covers CAM-STATUS-35
    [40, 'Waiting to start', GREY], // covers CAM-STATUS-35
    [41, 'Paused', GREY], // covers CAM-STATUS-35
    [42, 'Finished, budget spent', GREY], // covers CAM-STATUS-35
    [43, 'Finished, overdue', GREY], // covers CAM-STATUS-35
    [44, 'Paused due to account balance spent', GREY], // covers CAM-STATUS-35
    [45, 'Paused pending balance validation', GREY], // covers CAM-STATUS-35
  ])('%i is "%s" beside its colour', (statusKey, label, colour) => {
    const { container } = render(<StatusText statusKey={statusKey} />)
    expect(screen.getByText(label)).toBeVisible()
    expect(container.querySelector('[data-slot=status-dot]')).toHaveClass(colour)
  })
})

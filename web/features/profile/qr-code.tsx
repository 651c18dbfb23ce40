import { encode } from 'uqr'
import { cn } from '@/lib/utils'

type QrCodeProps = { readonly text: string; readonly label: string; readonly className?: string }

/** Modules of white around the code, which scanners need. */
const BORDER = 2

/** A QR code, dark on white in both themes. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cn('rounded-lg bg-white', className)}
    >
      <path d={path} fill="#111827" />
    </svg>
  )
}

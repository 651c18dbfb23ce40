import { CircleAlert } from 'lucide-react'
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert'

export type SummaryLine = {
  readonly key: string
  readonly text: string
  /** Focuses the field; null when no field on the page belongs to the error. */
  readonly onGo: (() => void) | null
}

/** Lists all errors of a form. A line with a field is a button that focuses it. */
export function ErrorSummary({ title, lines }: { readonly title: string; readonly lines: readonly SummaryLine[] }) {
  if (lines.length === 0) return null
  return (
    <Alert variant="destructive">
      <CircleAlert aria-hidden />
      <AlertTitle>{title}</AlertTitle>
      <AlertDescription>
        <ul className="flex flex-col gap-0.5">
          {lines.map(({ key, text, onGo }) => (
            <li key={key}>
              {onGo === null ? (
                text
              ) : (
                <button type="button" onClick={onGo} className="min-h-6 rounded-[3px] text-left underline underline-offset-2">
                  {text}
                </button>
              )}
            </li>
          ))}
        </ul>
      </AlertDescription>
    </Alert>
  )
}

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/toast'

type CodeBlockProps = {
  /** Says what the code does; names the block for screen readers. */
  readonly label: string
  readonly code: string
}

/** Code to copy. Long lines scroll, also by keyboard. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  const { t } = useTranslation('events')
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      setCopied(true)
    } catch {
      toast.error(t('copyFailed'))
    }
  }
  return (
    <figure className="border-border overflow-hidden rounded-lg border">
      <figcaption className="bg-muted/60 border-border flex min-h-9 items-center gap-2 border-b pr-1 pl-3 text-xs">
        <span className="grow">{label}</span>
        <Button variant="ghost" size="sm" onClick={() => void copy()} aria-label={`${t(copied ? 'copied' : 'copy')}: ${label}`}>
          {copied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
          {t(copied ? 'copied' : 'copy')}
        </Button>
      </figcaption>
      {/* A scrollable block must be reachable by keyboard. */}
      <section aria-label={label} {...{ tabIndex: 0 }} className="bg-card overflow-x-auto px-3 py-2.5">
        <pre translate="no" className="font-mono text-xs/5">
          {code}
        </pre>
      </section>
    </figure>
  )
}

import { PreviewPicture, PreviewText } from './preview-frame.tsx'

export type ResponsivePreviewProps = {
  readonly title: string
  readonly description: string
  readonly callToAction: string
  readonly color: string
  readonly company: string
  readonly image: string | null
  readonly logo: string | null
  readonly sponsored: string
}

/** Returns black or white, whichever has more contrast on the advertiser's colour. */
export function inkOn(color: string): string {
  const channel = (at: number) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2
  return 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4) > 0.18 ? '#000' : '#fff'
}

export function ResponsivePreview(props: ResponsivePreviewProps) {
  const { title, description, callToAction, color, company, image, logo, sponsored } = props
  const shade = /^#?[0-9a-f]{6}$/i.test(color) ? color.replace('#', '') : '65abf6'
  return (
    <div className="flex flex-col">
      <PreviewPicture url={image} alt="" className="aspect-[1200/627] w-full" />
      <div className="flex flex-col gap-2.5 p-3">
        <div className="flex items-center gap-2">
          <PreviewPicture url={logo} alt="" className="size-7 shrink-0 rounded-full" />
          <span className="text-xs min-w-0 grow">
            <PreviewText text={company} bar="w-16" className="font-medium" />
            <span className="text-muted-foreground text-[11px] leading-3">{sponsored}</span>
          </span>
        </div>
        <PreviewText text={title} bar="w-3/4" className="text-[15px] leading-5 font-semibold" />
        <PreviewText text={description} bar="w-full" className="text-[0.8125rem]/4.5 text-muted-foreground" />
        {callToAction !== '' && (
          <span
            className="rounded-md text-[0.8125rem]/4.5 block px-3 py-1.5 text-center font-semibold [overflow-wrap:anywhere]"
            style={{ background: `#${shade}`, color: inkOn(shade) }}
          >
            {callToAction}
          </span>
        )}
      </div>
    </div>
  )
}

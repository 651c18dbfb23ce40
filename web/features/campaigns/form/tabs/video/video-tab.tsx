export default function VideoTab() {
  return null
}

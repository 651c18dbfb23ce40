export default function GeographyTab() {
  return null
}

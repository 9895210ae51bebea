// Why a version cannot be published yet.

export type Candidate = {
  version: string;
  workspace_versions: Record<string, string>;
  changelog: string;
  /** The README of each package, by its path. */
  readmes: Record<string, string>;
  /** All tags of versions, and those of the commit that is checked out. */
  tags: string[];
  tags_here: string[];
  changed_files: string[];
};

/** Sentences for the person who releases; none if everything is right. */
export function findProblems(candidate: Candidate): string[] {
  const { version, workspace_versions, changelog, readmes, tags, tags_here, changed_files } = candidate;
  const tag = `v${version}`;
  const different = Object.entries(workspace_versions).filter(([, other]) => other !== version);
  return [
    /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version) ? null : `${version} is not a version of SemVer.`,
    ...different.map(([name, other]) => `${name}/package.json has version ${other}, not ${version}.`),
    describeChangelog(version, changelog),
    ...Object.entries(readmes)
      .filter(([, text]) => text.includes('not on npm yet'))
      .map(([path]) => `${path} says that the package is not on npm yet: say how it is installed from there.`),
    tags.includes(tag) && !tags_here.includes(tag) ? `${tag} is another commit: choose the next version.` : null,
    tags.includes(tag) ? null : `This commit has no tag: git tag -a ${tag} -m "toolgate ${version}"`,
    changed_files.length > 0 ? `${changed_files.length} files are not committed.` : null,
  ].filter((problem) => problem !== null);
}

function describeChangelog(version: string, changelog: string): string | null {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`${version} - `));
  if (section === undefined) return `CHANGELOG.md has no section "## ${version} - YYYY-MM-DD".`;
  if (!/^\S+ - \d{4}-\d{2}-\d{2}\n/.test(section)) return `The section ${version} of CHANGELOG.md has no date.`;
  return /^- /m.test(section) ? null : `The section ${version} of CHANGELOG.md is empty.`;
}

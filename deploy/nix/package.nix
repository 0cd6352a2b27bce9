# terse, with a Nixpkgs whose Go is 1.26 or newer:
#
#   nix-build -E 'with import <nixpkgs> { }; callPackage ./deploy/nix/package.nix { }'
{
  lib,
  stdenv,
  buildGoModule,
  installShellFiles,
}:

buildGoModule rec {
  pname = "terse";
  version = "0.1.0";

  src = lib.cleanSource ../..;
  # of what "go mod vendor" writes
  vendorHash = "sha256-k17vSoL6ZY21PDcWFSCkYe4vK6WbCVNRC1OBp7yskuw=";

  subPackages = [ "cmd/terse" ];
  env.CGO_ENABLED = 0;
  ldflags = [
    "-s"
    "-w"
    "-X main.version=v${version}"
  ];
  # The tests want servers, browsers and a network.
  doCheck = false;

  nativeBuildInputs = [ installShellFiles ];
  postInstall = ''
    installShellCompletion --cmd terse \
      --bash cmd/terse/completion/terse.bash \
      --zsh cmd/terse/completion/terse.zsh \
      --fish cmd/terse/completion/terse.fish
    install -D -m 644 -t $out/lib/systemd/system deploy/systemd/terse.service
    substituteInPlace $out/lib/systemd/system/terse.service \
      --replace-fail /usr/local/bin/terse $out/bin/terse
  ''
  # The program writes its manual, which it can't when it is built for another machine.
  + lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    $out/bin/terse man manual
    installManPage manual/*.1
  '';

  meta = {
    description = "URL shortener to host yourself";
    homepage = "https://github.com/terse/terse";
    license = lib.licenses.mit;
    mainProgram = "terse";
    platforms = lib.platforms.linux ++ lib.platforms.darwin;
  };
}

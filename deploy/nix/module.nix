# terse as a service of NixOS, with the unit of deploy/systemd: deploy/README.md shows how to use
# it.
{
  config,
  lib,
  pkgs,
  ...
}:

let
  cfg = config.services.terse;
in
{
  options.services.terse = {
    enable = lib.mkEnableOption "terse, a URL shortener";

    package = lib.mkOption {
      type = lib.types.package;
      default = pkgs.callPackage ./package.nix { };
      defaultText = lib.literalExpression "pkgs.callPackage ./package.nix { }";
      description = "The package with the program and its unit.";
    };

    settings = lib.mkOption {
      type =
        with lib.types;
        attrsOf (oneOf [
          bool
          int
          str
        ]);
      default = { };
      example = {
        BASE_URL = "https://go.example.com";
      };
      description = ''
        Settings by their names as environment variables. Everybody on the machine can read them:
        secrets belong into {option}`services.terse.environmentFile`.
      '';
    };

    environmentFile = lib.mkOption {
      type = lib.types.nullOr lib.types.path;
      default = null;
      example = "/run/secrets/terse.env";
      description = "A file with secret settings, one a line as NAME=value.";
    };
  };

  config = lib.mkIf cfg.enable {
    # For a proxy on this machine that terminates TLS.
    services.terse.settings = {
      LISTEN_HOST = lib.mkDefault "127.0.0.1";
      TRUSTED_PROXIES = lib.mkDefault "127.0.0.1";
    };

    # The unit reads it. Quotation marks keep spaces and "#".
    environment.etc."terse/terse.env".text = lib.concatLines (
      lib.mapAttrsToList (
        name: value:
        let
          text = if lib.isBool value then lib.boolToString value else toString value;
        in
        "${name}=${builtins.toJSON text}"
      ) cfg.settings
    );

    environment.systemPackages = [ cfg.package ];

    systemd.packages = [ cfg.package ];
    systemd.services.terse = {
      wantedBy = [ "multi-user.target" ];
      restartTriggers = [ config.environment.etc."terse/terse.env".source ];
      serviceConfig.EnvironmentFile = lib.mkIf (cfg.environmentFile != null) cfg.environmentFile;
    };

    users.groups.terse = { };
    users.users.terse = {
      isSystemUser = true;
      group = "terse";
      home = "/var/lib/terse";
    };
  };
}

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.domains (
    id integer NOT NULL,
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    address character varying(255) NOT NULL,
    homepage character varying(255),
    user_id integer,
    uuid uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE SEQUENCE public.domains_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.domains_id_seq OWNED BY public.domains.id;
CREATE TABLE public.links (
    id integer NOT NULL,
    address character varying(255) NOT NULL,
    description character varying(255),
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    domain_id integer,
    password character varying(255),
    expire_in timestamp with time zone,
    target character varying(2040) NOT NULL,
    user_id integer,
    visit_count integer DEFAULT 0 NOT NULL,
    uuid uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE SEQUENCE public.links_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.links_id_seq OWNED BY public.links.id;
CREATE TABLE public.users (
    id integer NOT NULL,
    apikey character varying(255),
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    email character varying(255) NOT NULL,
    role text DEFAULT 'USER'::text NOT NULL,
    password character varying(255) NOT NULL,
    reset_password_expires timestamp with time zone,
    reset_password_token character varying(255),
    change_email_expires timestamp with time zone,
    change_email_token character varying(255),
    change_email_address character varying(255),
    verification_expires timestamp with time zone,
    verification_token character varying(255),
    verified boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text])))
);
CREATE SEQUENCE public.users_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.users_id_seq OWNED BY public.users.id;
CREATE TABLE public.visits (
    id integer NOT NULL,
    countries jsonb,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    link_id integer,
    user_id integer,
    referrers jsonb,
    total integer DEFAULT 0 NOT NULL,
    br_chrome integer DEFAULT 0 NOT NULL,
    br_edge integer DEFAULT 0 NOT NULL,
    br_firefox integer DEFAULT 0 NOT NULL,
    br_ie integer DEFAULT 0 NOT NULL,
    br_opera integer DEFAULT 0 NOT NULL,
    br_other integer DEFAULT 0 NOT NULL,
    br_safari integer DEFAULT 0 NOT NULL,
    os_android integer DEFAULT 0 NOT NULL,
    os_ios integer DEFAULT 0 NOT NULL,
    os_linux integer DEFAULT 0 NOT NULL,
    os_macos integer DEFAULT 0 NOT NULL,
    os_other integer DEFAULT 0 NOT NULL,
    os_windows integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.visits_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.visits_id_seq OWNED BY public.visits.id;
ALTER TABLE ONLY public.domains ALTER COLUMN id SET DEFAULT nextval('public.domains_id_seq'::regclass);
ALTER TABLE ONLY public.links ALTER COLUMN id SET DEFAULT nextval('public.links_id_seq'::regclass);
ALTER TABLE ONLY public.users ALTER COLUMN id SET DEFAULT nextval('public.users_id_seq'::regclass);
ALTER TABLE ONLY public.visits ALTER COLUMN id SET DEFAULT nextval('public.visits_id_seq'::regclass);
INSERT INTO public.domains VALUES (1, false, NULL, 'go.example', 'https://home.example/', 1, '29d2de48-6347-4862-8add-b1caa0970723', '2026-09-14 08:10:22.246159+00', '2026-09-14 08:10:22.246159+00');
INSERT INTO public.links VALUES (1, 'many-00', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/0', 1, 0, '40bab08e-bdc4-4bcf-972a-1a8f52d1f388', '2026-09-14 08:10:22.258686+00', '2026-09-14 08:10:22.258686+00');
INSERT INTO public.links VALUES (2, 'many-01', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/1', 1, 0, 'e1617ca1-fa02-402b-9c95-02670138b257', '2026-09-14 08:10:22.266888+00', '2026-09-14 08:10:22.266888+00');
INSERT INTO public.links VALUES (3, 'many-02', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/2', 1, 0, 'e7bbff43-b770-43cd-90d2-d72b4545b08f', '2026-09-14 08:10:22.273859+00', '2026-09-14 08:10:22.273859+00');
INSERT INTO public.links VALUES (4, 'many-03', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/3', 1, 0, '6a84d15e-2faf-45c2-851e-71374c5d89cd', '2026-09-14 08:10:22.279361+00', '2026-09-14 08:10:22.279361+00');
INSERT INTO public.links VALUES (5, 'many-04', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/4', 1, 0, 'ac8ad1b9-6be4-4289-bee3-0e4f7f7f2d3d', '2026-09-14 08:10:22.286004+00', '2026-09-14 08:10:22.286004+00');
INSERT INTO public.links VALUES (6, 'many-05', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/5', 1, 0, '82e6c925-93ac-4eca-a332-4de95aad15e7', '2026-09-14 08:10:22.291257+00', '2026-09-14 08:10:22.291257+00');
INSERT INTO public.links VALUES (7, 'many-06', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/6', 1, 0, 'd3a24abb-27b6-40be-996b-40c77a68d751', '2026-09-14 08:10:22.297918+00', '2026-09-14 08:10:22.297918+00');
INSERT INTO public.links VALUES (8, 'many-07', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/7', 1, 0, '3d80142d-729e-4d25-9bb0-8b17bd90168d', '2026-09-14 08:10:22.306354+00', '2026-09-14 08:10:22.306354+00');
INSERT INTO public.links VALUES (9, 'many-08', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/8', 1, 0, '36bbfcdf-985c-4383-9cbe-60cf318f2080', '2026-09-14 08:10:22.311602+00', '2026-09-14 08:10:22.311602+00');
INSERT INTO public.links VALUES (10, 'many-09', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/9', 1, 0, '998f7343-5b94-4c71-aa4f-bc67a1ec2fc7', '2026-09-14 08:10:22.316324+00', '2026-09-14 08:10:22.316324+00');
INSERT INTO public.links VALUES (11, 'many-10', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/10', 1, 0, '6d223942-6e7e-4738-9b16-db214e57f474', '2026-09-14 08:10:22.325345+00', '2026-09-14 08:10:22.325345+00');
INSERT INTO public.links VALUES (12, 'many-11', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/11', 1, 0, 'bc464c73-6c9c-4b5f-b113-970672203977', '2026-09-14 08:10:22.332134+00', '2026-09-14 08:10:22.332134+00');
INSERT INTO public.links VALUES (13, 'many-12', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/12', 1, 0, 'a58d7e9a-3ba4-48ee-ab1a-190ef34517dc', '2026-09-14 08:10:22.338662+00', '2026-09-14 08:10:22.338662+00');
INSERT INTO public.links VALUES (14, 'many-13', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/13', 1, 0, '2375075a-9c14-4e29-bef5-272365329bce', '2026-09-14 08:10:22.34538+00', '2026-09-14 08:10:22.34538+00');
INSERT INTO public.links VALUES (15, 'many-14', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/14', 1, 0, '480043b4-1c66-48b5-9d4c-43005562dc0f', '2026-09-14 08:10:22.349037+00', '2026-09-14 08:10:22.349037+00');
INSERT INTO public.links VALUES (16, 'many-15', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/15', 1, 0, '8f7c7e0a-c92c-4b97-88e9-66bea36cf5b6', '2026-09-14 08:10:22.352867+00', '2026-09-14 08:10:22.352867+00');
INSERT INTO public.links VALUES (17, 'many-16', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/16', 1, 0, 'd3ea0b78-abe6-4563-91f4-fc38ed91816b', '2026-09-14 08:10:22.357543+00', '2026-09-14 08:10:22.357543+00');
INSERT INTO public.links VALUES (18, 'many-17', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/17', 1, 0, 'b4633f7e-1a79-4353-ad11-d4eee7fd1b80', '2026-09-14 08:10:22.365739+00', '2026-09-14 08:10:22.365739+00');
INSERT INTO public.links VALUES (19, 'many-18', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/18', 1, 0, 'f05acf27-7d8b-421c-9cb8-d8ec8ea61856', '2026-09-14 08:10:22.378954+00', '2026-09-14 08:10:22.378954+00');
INSERT INTO public.links VALUES (20, 'many-19', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/19', 1, 0, '4b890250-9f75-4c2e-8690-1dc28d428df4', '2026-09-14 08:10:22.385536+00', '2026-09-14 08:10:22.385536+00');
INSERT INTO public.links VALUES (21, 'many-20', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/20', 1, 0, 'd5329288-d5f7-4555-942e-76f0d3f8390a', '2026-09-14 08:10:22.390883+00', '2026-09-14 08:10:22.390883+00');
INSERT INTO public.links VALUES (22, 'many-21', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/21', 1, 0, 'c286f765-d253-476f-9e70-c4045f93576d', '2026-09-14 08:10:22.395691+00', '2026-09-14 08:10:22.395691+00');
INSERT INTO public.links VALUES (23, 'many-22', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/22', 1, 0, '6db12f48-f1b7-43ce-8f44-138c20665fe8', '2026-09-14 08:10:22.403384+00', '2026-09-14 08:10:22.403384+00');
INSERT INTO public.links VALUES (24, 'many-23', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/23', 1, 0, '1e27fb33-f864-46ae-b970-4baa69edc9eb', '2026-09-14 08:10:22.414191+00', '2026-09-14 08:10:22.414191+00');
INSERT INTO public.links VALUES (25, 'many-24', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/24', 1, 0, 'a79d96a0-be86-414f-aa73-a3d6612e42e8', '2026-09-14 08:10:22.421575+00', '2026-09-14 08:10:22.421575+00');
INSERT INTO public.links VALUES (26, 'many-25', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/25', 1, 0, '0d17f66b-7f1e-4892-a929-b840324e6f0e', '2026-09-14 08:10:22.43045+00', '2026-09-14 08:10:22.43045+00');
INSERT INTO public.links VALUES (27, 'many-26', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/26', 1, 0, '6c28a8c4-9795-486b-9d2f-62f29260632d', '2026-09-14 08:10:22.439451+00', '2026-09-14 08:10:22.439451+00');
INSERT INTO public.links VALUES (28, 'many-27', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/27', 1, 0, '327c86dc-1802-45cd-af53-f7da2b5b96a4', '2026-09-14 08:10:22.445888+00', '2026-09-14 08:10:22.445888+00');
INSERT INTO public.links VALUES (29, 'many-28', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/28', 1, 0, '533372ef-ed16-4d5d-b6cd-7d4a7af815ac', '2026-09-14 08:10:22.455385+00', '2026-09-14 08:10:22.455385+00');
INSERT INTO public.links VALUES (30, 'many-29', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/29', 1, 0, 'e5d6b7d6-cf52-4457-8431-27d19fb02cce', '2026-09-14 08:10:22.466866+00', '2026-09-14 08:10:22.466866+00');
INSERT INTO public.links VALUES (31, 'many-30', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/30', 1, 0, 'e24695eb-cca5-4032-ab6b-98893b23fc18', '2026-09-14 08:10:27.477625+00', '2026-09-14 08:10:27.477625+00');
INSERT INTO public.links VALUES (32, 'many-31', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/31', 1, 0, 'a3d38966-452c-4a81-9bcb-7de29434170d', '2026-09-14 08:10:27.485571+00', '2026-09-14 08:10:27.485571+00');
INSERT INTO public.links VALUES (33, 'many-32', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/32', 1, 0, 'f7a97b79-eb20-4e14-accf-5ba5d07a8f33', '2026-09-14 08:10:27.491396+00', '2026-09-14 08:10:27.491396+00');
INSERT INTO public.links VALUES (34, 'many-33', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/33', 1, 0, '1ed0a0c2-6e2e-412e-b40f-78aa450d68eb', '2026-09-14 08:10:27.497996+00', '2026-09-14 08:10:27.497996+00');
INSERT INTO public.links VALUES (35, 'many-34', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/34', 1, 0, '6e1067cd-30b5-4b2e-af02-868bd719ba22', '2026-09-14 08:10:27.502367+00', '2026-09-14 08:10:27.502367+00');
INSERT INTO public.links VALUES (36, 'many-35', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/35', 1, 0, '3ba12668-a975-4bf7-b3a8-55d1b5393680', '2026-09-14 08:10:27.509309+00', '2026-09-14 08:10:27.509309+00');
INSERT INTO public.links VALUES (37, 'many-36', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/36', 1, 0, 'f6381113-ed01-426c-9e1e-f1cb63b690f5', '2026-09-14 08:10:27.513284+00', '2026-09-14 08:10:27.513284+00');
INSERT INTO public.links VALUES (38, 'many-37', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/37', 1, 0, 'fc447401-feba-4352-b65f-8468115b0f4a', '2026-09-14 08:10:27.517756+00', '2026-09-14 08:10:27.517756+00');
INSERT INTO public.links VALUES (39, 'many-38', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/38', 1, 0, 'c9bf03fb-0cd4-4cb2-96fe-783ff32555a8', '2026-09-14 08:10:27.522185+00', '2026-09-14 08:10:27.522185+00');
INSERT INTO public.links VALUES (40, 'many-39', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/39', 1, 0, '206e9d54-aace-4672-868c-88d4b720b0c7', '2026-09-14 08:10:27.531074+00', '2026-09-14 08:10:27.531074+00');
INSERT INTO public.links VALUES (41, 'many-40', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/40', 1, 0, 'f7eaaa85-e7aa-4c69-837b-4d7c88b576ad', '2026-09-14 08:10:27.535144+00', '2026-09-14 08:10:27.535144+00');
INSERT INTO public.links VALUES (42, 'many-41', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/41', 1, 0, 'b82ae04e-a07c-4946-bf07-ab7390ef397e', '2026-09-14 08:10:27.540891+00', '2026-09-14 08:10:27.540891+00');
INSERT INTO public.links VALUES (43, 'many-42', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/42', 1, 0, '3da629a2-4d5c-470b-9d57-0c44ac98a70f', '2026-09-14 08:10:27.547258+00', '2026-09-14 08:10:27.547258+00');
INSERT INTO public.links VALUES (44, 'many-43', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/43', 1, 0, '6ea8aab3-4003-4512-942a-29d9785c4baf', '2026-09-14 08:10:27.552875+00', '2026-09-14 08:10:27.552875+00');
INSERT INTO public.links VALUES (45, 'many-44', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/44', 1, 0, '42075be9-7db1-479d-bf35-9acb4f29b66e', '2026-09-14 08:10:27.562898+00', '2026-09-14 08:10:27.562898+00');
INSERT INTO public.links VALUES (46, 'many-45', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/45', 1, 0, '6a81613c-7942-4399-8003-cc585311bab8', '2026-09-14 08:10:27.566675+00', '2026-09-14 08:10:27.566675+00');
INSERT INTO public.links VALUES (47, 'many-46', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/46', 1, 0, '889be93c-ca39-4b09-a2fa-a387039d498c', '2026-09-14 08:10:27.571652+00', '2026-09-14 08:10:27.571652+00');
INSERT INTO public.links VALUES (48, 'many-47', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/47', 1, 0, '9ee4d676-b8dc-4957-a0cf-e06d884e208e', '2026-09-14 08:10:27.578919+00', '2026-09-14 08:10:27.578919+00');
INSERT INTO public.links VALUES (49, 'many-48', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/48', 1, 0, '94afbf0f-ef7d-485c-9d09-7d5dfef638a3', '2026-09-14 08:10:27.583702+00', '2026-09-14 08:10:27.583702+00');
INSERT INTO public.links VALUES (50, 'many-49', NULL, false, NULL, NULL, NULL, NULL, 'https://m.example/49', 1, 0, '80829d21-4d85-4713-b193-077f8c763a4c', '2026-09-14 08:10:27.587502+00', '2026-09-14 08:10:27.587502+00');
INSERT INTO public.links VALUES (54, 'noted', 'A description of more than 200 characters. A description of more than 200 characters. A description of more than 200 characters. A description of more than 200 characters. A description of more than 200 characters. The end.', false, NULL, NULL, NULL, NULL, 'https://noted.example/', 1, 0, '065a1b60-48f6-4d5e-ac41-19444de578aa', '2026-09-14 08:10:27.606866+00', '2026-09-14 08:10:27.606866+00');
INSERT INTO public.links VALUES (55, 'lines', 'first line
second line', false, NULL, NULL, NULL, NULL, 'https://lines.example/', 1, 0, 'bb64c8a7-5f3c-4e00-bfc9-ee12edcb152b', '2026-09-14 08:10:27.612235+00', '2026-09-14 08:10:27.612235+00');
INSERT INTO public.links VALUES (57, 'ends', NULL, false, NULL, NULL, NULL, '2046-09-14 08:10:27.845+00', 'https://ends.example/', 1, 0, '08fff6b5-e615-4cc2-a337-e45d241943db', '2026-09-14 08:10:27.959313+00', '2026-09-14 08:10:27.959313+00');
INSERT INTO public.links VALUES (58, 'barred', NULL, true, 1, NULL, NULL, NULL, 'https://banned.example/', 1, 0, 'e9ee02aa-3dc9-4c71-a571-537cd7782689', '2026-09-14 08:10:27.981449+00', '2026-09-14 08:10:27.877+00');
INSERT INTO public.links VALUES (60, 'both', NULL, false, NULL, NULL, NULL, NULL, 'https://default.example/', 1, 0, 'f5893031-7d80-4cb0-88bb-391a494f69a6', '2026-09-14 08:10:28.002707+00', '2026-09-14 08:10:28.002707+00');
INSERT INTO public.links VALUES (61, 'both', NULL, false, NULL, 1, NULL, NULL, 'https://other.example/', 1, 0, '83676586-2eed-4cbd-8ba3-f565848592db', '2026-09-14 08:10:28.007861+00', '2026-09-14 08:10:28.007861+00');
INSERT INTO public.links VALUES (62, 'mail', NULL, false, NULL, NULL, NULL, NULL, 'mailto:somebody@example.com', 1, 0, '4e6e7f8a-6008-4e54-afae-f25c5930840d', '2026-09-14 08:10:28.011995+00', '2026-09-14 08:10:28.011995+00');
INSERT INTO public.links VALUES (63, 'metrics', NULL, false, NULL, NULL, NULL, NULL, 'https://metrics.example/', 1, 0, '2f65ccdc-82af-427b-8235-98d7caa35a83', '2026-09-14 08:10:28.016291+00', '2026-09-14 08:10:28.016291+00');
INSERT INTO public.links VALUES (65, 'AvCBqh', NULL, false, NULL, NULL, NULL, NULL, 'https://nobody.example/', NULL, 0, 'd7bf1d18-390a-42fd-b2d6-a1833eec52ff', '2026-09-14 08:10:28.02337+00', '2026-09-14 08:10:28.02337+00');
INSERT INTO public.links VALUES (66, 'rzctfv', NULL, false, NULL, NULL, NULL, NULL, 'https://generated.example/', 1, 0, 'fd633208-6b7e-4264-8ca9-f0736ac29cd3', '2026-09-14 08:10:33.0489+00', '2026-09-14 08:10:33.0489+00');
INSERT INTO public.links VALUES (53, 'titled', 'Ein Titel – 題名 🔗', false, NULL, NULL, NULL, NULL, 'https://titled.example/', 1, 7, 'f4dc7494-01d0-445d-95a4-012ec5925cd6', '2026-09-14 08:10:27.603304+00', '2026-09-14 08:10:27.603304+00');
INSERT INTO public.links VALUES (64, 'theirs', NULL, false, NULL, NULL, NULL, NULL, 'https://theirs.example/', 2, 1, '58636191-110d-4e71-9fe4-38d1179e7070', '2026-09-14 08:10:28.019782+00', '2026-09-14 08:10:28.019782+00');
INSERT INTO public.links VALUES (59, 'hosted', NULL, false, NULL, 1, NULL, NULL, 'https://hosted.example/', 1, 1, '39ac1d09-4cb1-42ed-9fca-fa041fe902e4', '2026-09-14 08:10:27.995605+00', '2026-09-14 08:10:27.995605+00');
INSERT INTO public.links VALUES (52, 'x', NULL, false, NULL, NULL, NULL, NULL, 'https://one.example/', 1, 1, '11569cc1-2289-4942-a974-76cc2aa237bc', '2026-09-14 08:10:27.599698+00', '2026-09-14 08:10:27.599698+00');
INSERT INTO public.links VALUES (56, 'secret', NULL, false, NULL, NULL, '$2a$12$8gutrRfWsyBZ5dme0pZVf.K/QdkU.KXcKRw7NhO9xnbisPfWoAJsW', NULL, 'https://secret.example/new', 1, 1, 'f36968dc-e7fa-4909-a967-7864ac683c75', '2026-09-14 08:10:27.94898+00', '2026-11-02 23:59:01.676+00');
INSERT INTO public.links VALUES (67, 'Case', NULL, false, NULL, NULL, NULL, NULL, 'https://upper.example/', 1, 0, '5849fbf4-23f9-4f4d-9a5a-be1dffee33ce', '2026-09-14 08:10:33.123216+00', '2026-09-14 08:10:33.123216+00');
INSERT INTO public.links VALUES (69, 'busy', NULL, false, NULL, NULL, NULL, NULL, 'https://busy.example/', 1, 151, 'bedb71c5-b16c-4a02-a264-d47e63781ab6', '2026-09-14 08:10:33.199869+00', '2026-09-14 08:10:33.199869+00');
INSERT INTO public.links VALUES (68, 'case', NULL, false, NULL, NULL, NULL, NULL, 'https://lower.example/', 1, 0, '8e7cbff0-c008-4702-b107-332cc65951a0', '2026-09-14 08:10:33.180885+00', '2026-09-14 08:10:33.180885+00');
INSERT INTO public.links VALUES (51, 'a-Printed_Address-0123456789-of-64-characters-which-all-must-go-', NULL, false, NULL, NULL, NULL, NULL, 'https://printed.example/path?a=1&b=%20#part', 1, 6, '05370b5d-81f9-4fb7-a3d5-925973b34da9', '2026-09-14 08:10:27.590978+00', '2026-09-14 08:10:27.590978+00');
INSERT INTO public.users VALUES (1, 'G2bR7qO-4FODavgyE65mOhejJCg-lxU15XwH7v1d', false, NULL, 'admin@kutt.example', 'ADMIN', '$2a$12$ggtyP/STgK4oYlrYVtLXWufxQTth77BSrPSNZglmecTzM9Ql9zhfu', NULL, NULL, NULL, NULL, NULL, '2026-09-14 09:10:21.172+00', '979154e6-a183-4baf-8657-3bb64a4b29c3', true, '2026-09-14 08:10:21.283223+00', '2026-09-14 08:10:21.532+00');
INSERT INTO public.users VALUES (2, 'xpkwPj1KPj5ge2j4MNfYUL58QTxjeauWsclICYEp', false, NULL, 'other@kutt.example', 'USER', '$2a$12$FL38y.s2QG.N5/.Eypj8wOufd2NAZXEbnvoCh0kDbm9WnGEyTIDTm', NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, '2026-09-14 08:10:21.945438+00', '2026-09-14 08:10:22.127+00');
INSERT INTO public.visits VALUES (1, '{"de": 3}', '2026-09-14 08:10:33.21191+00', '2026-09-14 08:10:33.15+00', 51, 1, '{"direct": 3}', 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3);
INSERT INTO public.visits VALUES (2, '{"fr": 3}', '2026-09-14 09:59:31.817651+00', '2026-09-14 09:59:31.561+00', 51, 1, '{"direct": 1, "news[dot]example": 1, "sub[dot]search[dot]example": 1}', 3, 0, 0, 3, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0);
INSERT INTO public.visits VALUES (3, '{"br": 3, "gb": 1, "t1": 1, "us": 1, "unknown": 1}', '2026-09-14 09:59:31.891279+00', '2026-09-14 09:59:31.825+00', 53, 1, '{"direct": 2, "localhost": 1, "a[dot]example": 1, "b[dot]example": 2, "org[dot]app[dot]example": 1}', 7, 1, 1, 0, 1, 1, 1, 2, 1, 1, 0, 1, 1, 3);
INSERT INTO public.visits VALUES (4, '{"unknown": 1}', '2026-09-14 09:59:32.229107+00', '2026-09-14 09:59:32.229107+00', 64, 2, '{"direct": 1}', 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
INSERT INTO public.visits VALUES (5, '{"ch": 1}', '2026-09-14 09:59:32.25207+00', '2026-09-14 09:59:32.25207+00', 59, 1, '{"direct": 1}', 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
INSERT INTO public.visits VALUES (6, '{"unknown": 1}', '2026-09-14 09:59:32.844479+00', '2026-09-14 09:59:32.844479+00', 56, 1, '{"direct": 1}', 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0);
INSERT INTO public.visits VALUES (7, '{"de": 60, "jp": 30, "us": 30, "unknown": 30}', '2026-10-25 00:30:01.532479+00', '2026-10-25 00:30:05.292+00', 69, 1, '{"direct": 50, "ref0[dot]example": 9, "ref1[dot]example": 9, "ref2[dot]example": 10, "ref3[dot]example": 9, "ref4[dot]example": 9, "ref5[dot]example": 10, "ref6[dot]example": 9, "ref7[dot]example": 9, "ref8[dot]example": 9, "ref9[dot]example": 8, "ref10[dot]example": 9}', 150, 107, 0, 43, 0, 0, 0, 0, 43, 0, 43, 0, 0, 64);
INSERT INTO public.visits VALUES (8, '{"unknown": 1}', '2026-10-25 00:30:05.467393+00', '2026-10-25 00:30:05.467393+00', 52, 1, '{"direct": 1}', 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
INSERT INTO public.visits VALUES (9, '{"de": 1}', '2026-11-02 23:59:01.794844+00', '2026-11-02 23:59:01.794844+00', 69, 1, '{"direct": 1}', 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
SELECT pg_catalog.setval('public.domains_id_seq', 1, true);
SELECT pg_catalog.setval('public.links_id_seq', 69, true);
SELECT pg_catalog.setval('public.users_id_seq', 2, true);
SELECT pg_catalog.setval('public.visits_id_seq', 9, true);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_address_unique UNIQUE (address);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_apikey_unique UNIQUE (apikey);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (id);
CREATE INDEX domains_address_index ON public.domains USING btree (address);
CREATE INDEX domains_user_id_index ON public.domains USING btree (user_id);
CREATE INDEX links_address_index ON public.links USING btree (address);
CREATE INDEX links_domain_id_index ON public.links USING btree (domain_id);
CREATE INDEX links_expire_in_index ON public.links USING btree (expire_in);
CREATE INDEX links_user_id_index ON public.links USING btree (user_id);
CREATE INDEX visits_link_id_index ON public.visits USING btree (link_id);
CREATE INDEX visits_user_id_index ON public.visits USING btree (user_id);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_domain_id_foreign FOREIGN KEY (domain_id) REFERENCES public.domains(id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_link_id_foreign FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
